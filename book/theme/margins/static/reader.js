// What the page does beyond being read: theme, contents on a phone, copying code, finding one's place.
const root = document.documentElement;
const scriptAddress = document.currentScript.src, version = new URL(scriptAddress).search;

/* Theme: automatic, light, dark; the choice stays in this browser. */
const modes = ["automatic", "light", "dark"];
const themeButton = document.querySelector(".theme-button");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let mode = modes.includes(root.dataset.mode) ? root.dataset.mode : "automatic";

function applyMode() {
  root.dataset.mode = mode;
  root.dataset.theme = mode === "automatic" ? (prefersDark.matches ? "dark" : "light") : mode;
  themeButton.querySelector("span").textContent = mode;
}
themeButton.addEventListener("click", () => {
  mode = modes[(modes.indexOf(mode) + 1) % modes.length];
  try { localStorage.setItem("mode", mode); } catch { /* private browsing: the choice lasts for the page */ }
  applyMode();
});
prefersDark.addEventListener("change", applyMode);
applyMode();

/* Contents on narrow screens. */
const book = document.querySelector("header.book");
const contentsButton = book.querySelector(".contents-button");

function openContents(open) {
  book.classList.toggle("open", open);
  contentsButton.setAttribute("aria-expanded", String(open));
}
contentsButton.addEventListener("click", () => openContents(!book.classList.contains("open")));
book.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !book.classList.contains("open")) return;
  openContents(false);
  contentsButton.focus();
});

/* "/" goes to the search field. */
const searchField = document.getElementById("book-search");
document.addEventListener("keydown", event => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  openContents(true);
  searchField.focus();
});

/* Search is loaded by who uses it: in the field, on the page of results, or come from there. */
const searching = () => import(new URL("search.js" + version, scriptAddress));
searchField.addEventListener("focus", () => searching().then(search => search.attach(searchField)), { once: true });
const results = document.getElementById("search-results");
if (results) searching().then(search => search.showAll(document.getElementById("search-progress"), results));
const cameFor = new URLSearchParams(location.search).get("marked");
if (cameFor) searching().then(search => search.mark(cameFor));

/* A copy button on every code cell. */
for (const block of document.querySelectorAll("div.highlight")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("pre").textContent.trimEnd());
      button.textContent = "Copied";
    } catch { button.textContent = "Select and copy by hand"; }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.append(button);
}

/* A quiz: the explanation of the alternative that was chosen, announced when it is asked for. */
for (const question of document.querySelectorAll("fieldset.quiz")) {
  const explanations = question.querySelectorAll("details > ol > li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Check my answer";
  const verdict = document.createElement("div");
  verdict.setAttribute("role", "status");
  question.querySelector("details").before(button, verdict);
  question.addEventListener("change", () => verdict.replaceChildren());
  button.addEventListener("click", () => {
    const chosen = [...question.querySelectorAll("input")].findIndex(choice => choice.checked);
    if (chosen < 0) verdict.textContent = "Choose an alternative first.";
    else verdict.replaceChildren(...explanations[chosen].cloneNode(true).childNodes);
    verdict.classList.toggle("right", verdict.textContent.trim().startsWith("Right"));
  });
}

/* What scrolls sideways can be reached by keyboard. */
const wide = document.querySelectorAll("div.math, div.highlight pre, .cell_output pre, div.table");
function markScrollable() {
  for (const box of wide) {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", box.matches(".math") ? "Wide equation" : "Wide content");
    } else {
      box.removeAttribute("tabindex");
      box.removeAttribute("role");
      box.removeAttribute("aria-label");
    }
  }
}
addEventListener("resize", markScrollable);
document.fonts.ready.then(() => setTimeout(markScrollable));

/* The section being read: marked in the lists that lead to it, named on the bar that stays on a phone. */
const places = new Map();
for (const link of document.querySelectorAll(":is(.on-this-page, header.book nav) a[href^='#']:not(ul ul ul a)")) {
  const section = link.hash.length > 1 && document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (section) places.set(section, [...(places.get(section) ?? []), link]);
}
const place = book.querySelector(".place");
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) entry.target.inView = entry.isIntersecting;
  const current = [...places.keys()].findLast(section => section.inView);
  for (const [section, links] of places)
    for (const link of links) {
      if (section === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  place.textContent = current ? places.get(current)[0].textContent : "";
}, { rootMargin: "0px 0px -70% 0px" });
for (const section of places.keys()) watcher.observe(section);
book.querySelector("nav").addEventListener("click", event => event.target.closest("a[href^='#']") && openContents(false));
addEventListener("scroll", () => {
  const whole = root.scrollHeight - innerHeight;
  book.style.setProperty("--read", whole > 0 ? (scrollY / whole).toFixed(4) : 0);
}, { passive: true });

/* Paper shows everything that is folded on the screen. */
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details:not([open])")) { fold.open = true; fold.dataset.printed = ""; }
});
addEventListener("afterprint", () => {
  for (const fold of document.querySelectorAll("details[data-printed]")) { fold.open = false; delete fold.dataset.printed; }
});
