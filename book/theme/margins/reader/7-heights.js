/* A section that waits to be laid out counts as tall as its letters would have it, without what is folded, without its code, of
   which the lines count, and without its figures, which only a narrow page has in the text: so the scroll bar nearly tells the
   truth, and what measures the page finds no two things in one place. The weights are fitted to all sections of all chapters. */
const FOLDED = "details:not([open])";
const WEIGHTS = { "p, li, dt, dd": 10, "td > p": -5, "h2, h3, h4": 60, "summary": 120, "label": 60 }; // in letters, beside their own
const CODE_LINE = 28, EXCURSION = -90; // one has a heading that is seldom long, and mostly nothing else
const sections = [...document.querySelectorAll("article > section > section")];
const sum = (parts, weight) => [...parts].reduce((total, part) => total + weight(part), 0);
const lettersIn = parts => sum(parts, part => part.textContent.length);
const linesIn = parts => sum(parts, part => part.textContent.split("\n").length);
function weigh(section) {
  const seen = kinds => section.querySelectorAll(`:is(${kinds}):not(${FOLDED} *, figure.explorable *)`);
  const folded = section.querySelectorAll(`${FOLDED}:not(${FOLDED} *)`), figures = seen("figure.explorable"), code = seen("pre");
  const others = lettersIn([...folded, ...figures, ...code]);
  const marks = sum(Object.entries(WEIGHTS), ([kinds, weight]) => weight * seen(kinds).length) + WEIGHTS.summary * folded.length;
  const excursion = section.matches(".excursion") ? EXCURSION : 0;
  section.style.setProperty("--letters", lettersIn([section]) - others + marks + CODE_LINE * linesIn(code) + excursion);
  section.style.setProperty("--figures", figures.length);
}
const weighAll = () => sections.forEach(weigh);
weighAll();
document.addEventListener("depth", weighAll); // the page has unfolded to a depth (chapter/1-depths.js)

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
