// Figures beside the text: on wide screens the figure of the part that is read stands there, as tall as the window. One that
// waits is at its place in the text, not seen, so that links, tabs and the browser's search find it.
const { LINE, isAbove } = await import(document.querySelector('script[src*="explorable.js"]').src); // the page's own instance
const wide = matchMedia("(min-width: 75rem) and (min-height: 34rem)");
const PAUSE = 90, FADE = 200; // milliseconds: who flies over a section does not see its figure come and go
const NARROW = 290; // pixels: a panel that is no wider has larger letters
const isBeside = () => wide.matches && root.dataset.dock === "on";
const cardOf = figure => figure?.closest(".docks > .cell_output");

let active = null; // the card beside the text
let broughtAt = null; // where the page was scrolled to when something brought a card
let settling;
let arriving; // at the page's address, unless the reader goes to another figure before

/* What is read of figures that stay in the text, they and what speaks of them: nothing is beside one that is seen. */
const readInText = new Set();
const reading = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) isIntersecting ? readInText.add(target) : readInText.delete(target);
  followSoon();
}, { rootMargin: "-32% 0px -48% 0px" });
const speakersInText = pointersOf().filter(pointer => inText.includes(figureOf(pointer)));
const partsInText = new Map([
  ...inText.map(figure => [figure.closest(".cell_output") ?? figure, figure]),
  ...speakersInText.map(pointer => [spoken(pointer), figureOf(pointer)]),
]);
for (const part of partsInText.keys()) reading.observe(part);

/** Whether more than half of a drawing is on the screen. */
function isSeen(figure) {
  const { top, bottom, height } = frameOf(figure).getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) > height / 2;
}

/** The card of the part at the reading line; parts whose figure is folded away have none. */
function cardHere() {
  if ([...readInText].some(part => isSeen(partsInText.get(part)))) return null;
  const figures = starts.map(start => [start, document.getElementById(start.dataset.figure)]);
  const open = figures.filter(([, figure]) => figure && !figure.closest("details:not([open])"));
  const [, figure] = open.findLast(([start]) => isAbove(start, innerHeight * LINE)) ?? open[0] ?? [];
  return cardOf(figure);
}

/** Puts a card beside the text, or none; the one before fades out in its place. */
function show(card) {
  if (card === active || !isBeside()) return;
  const before = active;
  active = card;
  if (before) {
    before.classList.replace("active", "leaving");
    setTimeout(() => before !== active && rest(before), FADE);
  }
  if (!card) return;
  card.classList.remove("leaving");
  card.classList.add("active");
  card.classList.toggle("fades", root.dataset.beside === "ready");
  card.popover = "manual"; // in the top layer its section does not contain it, and nothing else is laid out anew
  if (!card.matches(":popover-open")) card.showPopover();
  card.scrollTop = 0;
  const frame = card.querySelector(".explorable-frame");
  if (frame) measure(frame);
}

/** Notes how tall the frame of a drawing is, from which its panels get their width, and whether their letters would be below 10
 *  pixels. A query of the container would say so, too, but be asked anew each time that a mark in it moves. */
function measure(frame) {
  frame.style.setProperty("--frame-height", `${frame.clientHeight}px`);
  frame.classList.toggle("narrow", frame.querySelector(".explorable-panel")?.clientWidth <= NARROW);
}
const frames = new ResizeObserver(entries => isBeside() && entries.forEach(({ target }) => measure(target)));

/** A card at its place in the text. */
function rest(card) {
  card.classList.remove("active", "leaving", "fades");
  if (card.matches(":popover-open")) card.hidePopover();
  card.removeAttribute("popover");
}

/** All cards as the window and the reader want them. */
function place() {
  if (isBeside()) return show(cardHere());
  active = null;
  document.querySelectorAll(".docks > .cell_output").forEach(rest);
}

/** Where figures stand, chosen by the reader and remembered; what is being read stays where it is. */
function dock(where, card) {
  const reading = [...document.querySelectorAll("article :is(p, h2, h3, div.math)")].find(element => element.getBoundingClientRect().top > 0 && !element.closest(".docks"));
  const before = reading?.getBoundingClientRect().top;
  root.dataset.dock = where;
  try { localStorage.setItem("dock", where); } catch { /* private browsing: the choice lasts for the page */ }
  place();
  if (where === "off") card.scrollIntoView({ block: "center" });
  else if (reading) scrollBy({ top: reading.getBoundingClientRect().top - before, behavior: "instant" });
  card.querySelector(where === "off" ? ".beside-text" : ".into-text").focus({ preventScroll: true });
}

/** Brings a figure beside the text until the reader goes on. */
function bring(figure) {
  clearTimeout(arriving);
  const card = cardOf(figure);
  if (!card || !isBeside()) return false;
  broughtAt = scrollY;
  show(card);
  return true;
}

/** The card of what is read, unless another was brought here. */
function follow() {
  if (broughtAt !== null && Math.abs(scrollY - broughtAt) < innerHeight / 3) return;
  broughtAt = null;
  show(cardHere());
}

function followSoon() {
  if (!isBeside()) return;
  clearTimeout(settling);
  settling = setTimeout(follow, PAUSE);
}

/** The questions of a figure one at a time, a dashed arrow with its own. */
function oneAtATime(questions) {
  const all = [...questions.children], count = make("span", {});
  let now = 0;
  const ask = to => {
    now = (to + all.length) % all.length;
    all.forEach((question, number) => question.classList.toggle("now", number === now));
    const asked = all[now].querySelector(".explorable-compare")?.dataset.guess;
    for (const tip of questions.parentElement.querySelectorAll(".explorable-guess"))
      for (const part of [tip, tip.previousElementSibling]) part.classList.toggle("asked", tip.dataset.arrow === asked);
    count.textContent = all.length > 1 ? `Try it: ${now + 1} of ${all.length}` : "Try it";
  };
  const turn = (text, name, by) => make("button", { type: "button", textContent: text, ariaLabel: name, onclick: () => ask(now + by) });
  const buttons = all.length > 1 ? [turn("‹", "Previous question", -1), turn("›", "Next question", 1)] : [];
  questions.prepend(make("li", { className: "stepper" }, count, ...buttons));
  ask(0);
}

/** Fits the figure that a card holds; Python in the page may have put another in its place. */
function prepare(card) {
  const frame = card.querySelector(".explorable-frame"), questions = card.querySelector(".explorable-prompts");
  if (frame) frames.observe(frame);
  if (questions && !questions.querySelector(".stepper")) oneAtATime(questions);
}
const replaced = new MutationObserver(changes => changes.forEach(({ target }) => prepare(target.closest(".docks > .cell_output"))));

for (const card of document.querySelectorAll(".docks > .cell_output")) {
  card.querySelector(".into-text").addEventListener("click", () => dock("off", card));
  card.querySelector(".beside-text").addEventListener("click", () => dock("on", card));
  prepare(card);
  const place = card.querySelector("figure")?.parentElement;
  if (place) replaced.observe(place, { childList: true });
}

wide.addEventListener("change", place);
addEventListener("scroll", followSoon, { passive: true });
document.addEventListener("toggle", () => isBeside() && follow(), true); // a fold has opened, or shut on its figure
addEventListener("beforeprint", () => { root.dataset.printing = root.dataset.dock; root.dataset.dock = "off"; place(); });
addEventListener("afterprint", () => { root.dataset.dock = root.dataset.printing; place(); });

/* What points at a figure brings it: a word or symbol, a paragraph's state, a link, the page's address. */
document.addEventListener("explorable-pointed", event => bring(event.target));
document.addEventListener("explorable-chosen", event => bring(event.target) && event.preventDefault());
document.addEventListener("click", event => {
  const link = event.target.closest?.("article a[href^='#']:not(.points-at, .headerlink)");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (bring(document.getElementById(decodeURIComponent(link.hash.slice(1).split("?")[0]))?.closest("figure"))) event.preventDefault();
});
/* Who comes to a figure that waits by the keyboard sees it. */
document.addEventListener("focusin", event => {
  const card = event.target.closest(".docks > .cell_output");
  if (card && card !== active) bring(card.querySelector("figure"));
});
const arrive = () => bring(document.getElementById(decodeURIComponent(location.hash.slice(1).split("?")[0]))?.closest("figure"));
const arriveLater = () => (arriving = setTimeout(arrive, 400)); // after the page has gone to its address
addEventListener("hashchange", () => { arrive(); arriveLater(); });

place();
root.dataset.beside = "ready";
if (location.hash) arriveLater();
