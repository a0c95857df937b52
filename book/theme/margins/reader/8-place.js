/* The section being read: marked in the lists that lead to it, named on the bar that stays on a phone. */
const placeAt = hash => hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
const places = new Map();
for (const link of document.querySelectorAll(":is(.on-this-page, header.book nav) a[href^='#']:not(ul ul ul a)")) {
  const section = placeAt(link.hash);
  if (section) places.set(section, [...(places.get(section) ?? []), link]);
}
const place = book.querySelector(".place");
const nameIn = link => [...link.childNodes].filter(part => !part.matches?.(".minutes")).map(part => part.textContent).join("").trim();
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) entry.target.inView = entry.isIntersecting;
  const current = [...places.keys()].findLast(section => section.inView);
  for (const [section, links] of places)
    for (const link of links) {
      if (section === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  place.textContent = current ? nameIn(places.get(current)[0]) : "";
}, { rootMargin: "0px 0px -70% 0px" });
for (const section of places.keys()) watcher.observe(section);
book.querySelector("nav").addEventListener("click", event => event.target.closest("a[href^='#']") && openContents(false));
/* A jump ends where it was meant to: the section of its end is laid out before, and those around it while it lasts. */
const layOut = place => place && place.closest("article > section > section")?.style.setProperty("content-visibility", "visible");
function settle() {
  const place = placeAt(location.hash);
  layOut(place);
  if (place) requestAnimationFrame(() => requestAnimationFrame(() => place.scrollIntoView()));
}
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']"); // that another tab opens, or a finger only asks about, is not followed
  if (!link || event.defaultPrevented) return;
  layOut(placeAt(link.hash));
  setTimeout(() => link.hash === location.hash && !event.defaultPrevented && settle());
});
if (!comesBack) addEventListener("load", settle);
addEventListener("scroll", () => {
  // by sections, for nobody knows how tall those are that wait to be laid out
  const all = [...places.keys()], at = all.findLastIndex(section => section.inView), { top, height } = (all[at] ?? root).getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (innerHeight * 0.3 - top) / height));
  book.style.setProperty("--read", (all.length ? Math.max(0, at + share) / all.length : share).toFixed(4));
}, { passive: true });
