// The heights of sections that wait to be laid out, and the place of who comes back.
/* A section that waits to be laid out counts as tall as its letters and the ends of its paragraphs would have it, without what
   is folded: so the scroll bar nearly tells the truth, and what measures the page finds no two things in one place. */
const BREAK = 80; // letters that would fill what a paragraph, an item or a term leaves empty; half of it in the cell of a table
const LINE = 130; // letters as tall as the line to which an excursion is folded
const lettersIn = parts => parts.reduce((sum, part) => sum + part.textContent.length, 0);
const sections = [...document.querySelectorAll("article > section > section")];
function weigh() {
  for (const section of sections) {
    const folded = section.querySelectorAll("details:not([open]):not(details:not([open]) details)");
    const breaks = section.querySelectorAll(":is(p, li, dt, dd):not(.false-versions *, .said *, details.deep:not([open]) *)").length;
    const cells = section.querySelectorAll("td > p:not(details:not([open]) *)").length, line = section.matches(".excursion") ? LINE : 0;
    section.style.setProperty("--letters", line + lettersIn([section]) - lettersIn([...folded]) + BREAK * (breaks - cells / 2));
  }
}
weigh();
document.addEventListener("depth", weigh); // the page has unfolded to a depth (chapter/1-depths.js)

/* Who comes back finds the page as tall as it was left, and so the place that the browser scrolls to. */
const leftAt = () => `heights of ${location.pathname} ${root.dataset.depth}`;
const comesBack = performance.getEntriesByType("navigation")[0]?.type !== "navigate"; // by a reload, or through the history
if (sections.length) addEventListener("pagehide", () => {
  try { sessionStorage.setItem(leftAt(), JSON.stringify([innerWidth, ...sections.map(section => section.offsetHeight)])); } catch { /* private browsing */ }
});
if (comesBack) try {
  const [width, ...heights] = JSON.parse(sessionStorage.getItem(leftAt())) ?? [];
  if (width === innerWidth) heights.forEach((height, number) => (sections[number].style.containIntrinsicBlockSize = `auto ${height}px`));
} catch { /* nothing that could be read */ }

/* The place is kept in the history too, by its section: a browser that is sent on before it has scrolled remembers the page's
   top, and what stands above may come out taller than it was. Who scrolls meanwhile is left alone. */
const left = comesBack && history.state?.left;
let touched = false;
for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(kind, () => (touched = true), { once: true, passive: true });
const topOf = section => (sections[section] ?? root).getBoundingClientRect().top;
addEventListener("scrollend", () => {
  const section = sections.findLastIndex((_, number) => topOf(number) <= 0);
  history.replaceState({ ...history.state, left: { section, top: topOf(section) } }, "");
});
if (left) addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => {
  if (!touched) scrollBy({ top: topOf(left.section) - left.top, behavior: "instant" });
})));
