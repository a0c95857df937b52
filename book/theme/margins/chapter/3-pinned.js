// Figures on small screens: while something on the screen speaks of a figure whose drawing is off it, its drawing is pinned
// under the header, as it is at each moment; a tap opens it whole, and a button leads back to the text.
const { LINE, isAbove, named } = await import(document.querySelector('script[src*="explorable.js"]').src); // the page's own instance
const small = matchMedia("(max-width: 74.99rem) and (min-height: 20rem)");
const wide = matchMedia("(min-width: 48rem)"); // room for two panels
const low = matchMedia("(max-height: 29.99rem)"); // a telephone on its side, or a page at twice its size
const PAUSE = 60; // milliseconds
const SHORT = 2; // letters: the number of a point, or its name
const REST = 180; // pixels: little more than the height of the pin
const book = document.querySelector("header.book");
const remembered = () => { try { return localStorage.getItem("pin"); } catch { return null; } };

const says = make("p", {});
const opens = make("button", { type: "button", textContent: "Open", onclick: () => open(pinned) });
const fold = make("button", { type: "button", onclick: () => remember(!pin.classList.contains("folded")) });
const frame = make("div", { className: "explorable-frame" });
const picture = make("figure", { className: "explorable", ariaHidden: "true", onclick: () => open(pinned) }, frame);
const pin = make("aside", { className: "pin", hidden: true, ariaLabel: "The figure that the text speaks of" }, picture,
  make("div", { className: "pin-says" }, says, make("div", {}, opens, fold)));
document.body.append(pin);
let pinned = null, opened = null;
let tappedAt = null; // where the page was scrolled to when a tap pinned a figure
let copying;
const changes = new MutationObserver(() => { // once a frame
  cancelAnimationFrame(copying);
  copying = requestAnimationFrame(copy);
});

function setFolded(is) {
  pin.classList.toggle("folded", is);
  fold.textContent = is ? "Unfold" : "Fold";
  if (pinned) root.style.setProperty("--pinned", `${pin.offsetHeight}px`);
}
setFolded(low.matches || remembered() === "folded");

function remember(folded) {
  setFolded(folded);
  try { localStorage.setItem("pin", folded ? "folded" : ""); } catch { /* private browsing */ }
}

const headerEnd = () => (matchMedia("(min-width: 68rem)").matches ? 0 : book.getBoundingClientRect().bottom);

/** Whether so much of a drawing is on the screen that its pin would hide more than it shows again. */
function isSeen(figure) {
  const { top, bottom } = frameOf(figure).getBoundingClientRect(), height = bottom - top;
  return bottom > headerEnd() + Math.min(0.5 * height, REST) && top < innerHeight - 0.5 * height;
}

/** Whether the pin would lie over a drawing that is read in the text. */
function isUnderPin(drawing) {
  if (!onScreen.has(drawing)) return false;
  const { top, bottom } = drawing.getBoundingClientRect();
  return bottom > headerEnd() && top < headerEnd() + REST;
}

/** Shows the drawing of a figure below the header, and what changes in it. */
function put(figure) {
  if (pinned === figure) return;
  take();
  pinned = figure;
  pin.dataset.figure = figure.id;
  changes.observe(figure, { subtree: true, childList: true, attributes: true, characterData: true });
  copy();
  pin.hidden = false;
  root.style.setProperty("--pinned", `${pin.offsetHeight}px`);
}

function take() {
  if (!pinned) return;
  pinned = null;
  changes.disconnect();
  pin.hidden = true;
  root.style.setProperty("--pinned", "0px");
}

/** The sentence of the pinned figure, and its panels as they are: that with what is lit, or is spoken of, comes first. */
function copy() {
  if (!pinned) return;
  says.textContent = pinned.querySelector("output").textContent;
  const panels = [...pinned.querySelectorAll(".explorable-panel")];
  const front = panels.find(panel => panel.querySelector(".lit, .on")) ?? panelSpokenOf() ?? panels[0];
  const shown = wide.matches ? [front, ...panels.filter(panel => panel !== front)].slice(0, 2) : [front];
  picture.classList.toggle("lighting", pinned.classList.contains("lighting"));
  picture.classList.toggle("kept", pinned.classList.contains("kept"));
  frame.replaceChildren(...panels.filter(panel => shown.includes(panel)).map(copyOf));
}

/** A panel within its axes: names of axes would be too small to read, and letters above the box would be cut. */
function copyOf(panel) {
  const svg = panel.querySelector("svg").cloneNode(true), box = svg.querySelector("clipPath rect");
  const [x, y, width, height] = ["x", "y", "width", "height"].map(name => Number(box.getAttribute(name)));
  svg.setAttribute("viewBox", `${x - 6} ${y - 6} ${width + 12} ${height + 12}`);
  for (const text of svg.querySelectorAll("text")) {
    if (Number(text.getAttribute("y")) < y) text.remove();
    text.classList.toggle("short", text.textContent.length <= SHORT);
  }
  for (const clip of svg.querySelectorAll("[id]")) clip.id = `pinned-${clip.id}`;
  for (const part of svg.querySelectorAll("[clip-path]")) part.setAttribute("clip-path", part.getAttribute("clip-path").replace("#", "#pinned-"));
  return make("div", { className: "explorable-panel" }, svg);
}

/** The panel with the mark at which the word or symbol nearest to the middle of the screen points. */
function panelSpokenOf() {
  const pointers = nearestFirst([...onScreen].filter(part => part.dataset.light && speakers.get(part) === pinned));
  const names = pointers.flatMap(pointer => pointer.dataset.light.split("|"));
  return names.flatMap(name => named(pinned, name)).map(mark => mark.closest(".explorable-panel")).find(Boolean);
}

function nearestFirst(parts) {
  const middle = innerHeight / 2, off = part => Math.abs(part.getBoundingClientRect().top - middle);
  return parts.sort((a, b) => off(a) - off(b));
}

/** The whole figure with controls and questions over the text, which keeps its place. */
function open(figure) {
  const card = figure.closest(".cell_output"), gap = make("div", {}), y = scrollY, from = document.activeElement;
  take();
  gap.style.height = `${card.getBoundingClientRect().height}px`;
  card.before(gap);
  card.closest("article > section > section")?.style.setProperty("content-visibility", "visible");
  card.classList.add("sheet");
  card.scrollTop = 0;
  const back = make("button", { type: "button", className: "back", textContent: "Back to the text", onclick: close });
  document.body.append(back);
  opened = { card, gap, back, y, from };
  scrollTo({ top: y, behavior: "instant" });
  back.focus({ preventScroll: true });
}

function close() {
  if (!opened) return;
  const { card, gap, back, y, from } = opened;
  opened = null;
  card.classList.remove("sheet");
  gap.remove();
  back.remove();
  scrollTo({ top: y, behavior: "instant" });
  choose();
  (from === document.body ? opens : from).focus({ preventScroll: true });
}

/* What speaks of a figure: words, symbols, states, its own controls, sentence and questions. A drawing that stays in the text
   speaks of itself: nothing is pinned over it. */
const speakers = new Map();
const pinnable = figure => (figure.matches(".explorable") ? figure : null);
for (const figure of document.querySelectorAll("article figure.explorable")) {
  const questions = figure.nextElementSibling?.matches(".explorable-prompts") ? figure.nextElementSibling.children : [];
  for (const part of [figure.querySelector(".explorable-controls"), figure.querySelector("output"), ...questions]) speakers.set(part, figure);
}
for (const pointer of pointersOf()) if (figureOf(pointer)) speakers.set(spoken(pointer), pinnable(figureOf(pointer)));
for (const figure of inText) speakers.set(frameOf(figure), null);
const inOrder = [...speakers].sort(([one], [other]) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

const onScreen = new Set();
let choosing;
const chooseSoon = () => {
  clearTimeout(choosing);
  choosing = setTimeout(choose, PAUSE);
};
const speaking = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) isIntersecting ? onScreen.add(target) : onScreen.delete(target);
  chooseSoon();
}, { rootMargin: "-56px 0px 20% 0px" });

/** Pins the figure that the speaker nearest to the middle speaks of, unless its drawing is seen, or another that it could hide. */
function choose() {
  if (opened) return;
  if (!small.matches) return take();
  if (tappedAt !== null && Math.abs(scrollY - tappedAt) < innerHeight / 3) return;
  tappedAt = null;
  const [nearest] = nearestFirst([...onScreen]), figure = nearest ? speakers.get(nearest) : figureHere();
  if (!figure || isSeen(figure) || inText.some(other => other !== figure && isUnderPin(frameOf(other)))) return take();
  if (figure === pinned) copy(); // another panel may be spoken of
  put(figure);
}

/** The figure that the section that is read has drawn or spoken of last. */
function figureHere() {
  const line = innerHeight * LINE, start = starts.findLast(each => isAbove(each, line));
  const [part, figure] = inOrder.findLast(([each, of]) => of && isAbove(each, line)) ?? [];
  return figure && sectionOf(part) === sectionOf(start) && !figure.closest("details:not([open])") ? figure : null;
}
const sectionOf = part => part?.closest("article > section > section");

addEventListener("scroll", chooseSoon, { passive: true });
for (const speaker of speakers.keys()) speaking.observe(speaker);
const seen = new IntersectionObserver(chooseSoon, { threshold: [0, 0.35, 0.9], rootMargin: "-56px 0px 0px 0px" });
for (const figure of new Set(speakers.values())) if (figure) seen.observe(frameOf(figure));
new ResizeObserver(() => root.style.setProperty("--header-end", `${Math.round(headerEnd())}px`)).observe(book);
small.addEventListener("change", () => { close(); choose(); });
document.addEventListener("keydown", event => event.key === "Escape" && close());
/* Who taps a word gets its figure, and does not lose the word under it. */
document.addEventListener("explorable-chosen", event => {
  const figure = event.target, { pointer } = event.detail;
  if (!small.matches || isSeen(figure)) return;
  event.preventDefault();
  put(figure);
  tappedAt = scrollY;
  const { top } = pointer.getBoundingClientRect(), end = pin.getBoundingClientRect().bottom;
  if (top < end + 8) scrollBy({ top: top - end - 40 });
});
addEventListener("beforeprint", () => { close(); take(); });
