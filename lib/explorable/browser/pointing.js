// Words and symbols of the text that point at marks of a figure: links to it whose title names the marks, and parts of
// formulas with the names in `data-light`, separated by |. They light for a mouse, the focus, a click and a tap, and keep the marks lit.

import { highlight, named } from "./numbers.js";

const POINTERS = 'a[href^="#ex-"][title]:not(.headerlink), [data-light]';
let kept = null; // what pointed last: its marks stay lit, quietly
let meaning; // the line that says what a symbol stands for

/** Sets up the words and symbols of the page. */
export function bindPointers() {
  for (const element of document.querySelectorAll(POINTERS)) {
    const figure = document.getElementById(element.dataset.figure ?? element.hash.slice(1));
    if (!figure?.view) continue;
    element.dataset.light ??= element.title;
    const names = element.dataset.light.split("|");
    element.removeAttribute("title"); // no tooltip over the marks
    element.classList.add("points-at");
    new Pointer(element, figure, names);
  }
  addEventListener("keydown", event => event.key === "Escape" && release());
  addEventListener("pointerdown", event => kept?.figure.contains(event.target) && release());
  addEventListener("scroll", () => meaning?.hidePopover(), { passive: true });
}

/** A word or symbol, and the marks that it names. */
class Pointer {
  constructor(element, figure, names) {
    Object.assign(this, { element, figure, names, asides: figure.view.spec.asides });
    element.style.setProperty("--points-at", this.colour);
    if (!element.href) this.offerButton();
    else if (element.querySelector(":scope > math")) element.setAttribute("aria-label", element.textContent); // a formula alone gives a link no name
    element.addEventListener("pointerenter", event => event.pointerType !== "touch" && this.point());
    element.addEventListener("pointerleave", event => event.pointerType !== "touch" && this.rest());
    element.addEventListener("focus", () => element.matches(":focus-visible") && this.point());
    element.addEventListener("blur", () => this.rest());
    element.addEventListener("click", event => this.choose(event));
  }

  /** For who has no mouse: a button beside the formula, seen while it has the focus; nothing inside a formula can have it. */
  offerButton() {
    const formula = this.element.closest("math").parentElement, text = `${this.element.textContent}: ${this.standsFor}`;
    if ([...formula.querySelectorAll(".explorable-symbol")].some(button => button.textContent === text)) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "explorable-symbol", textContent: text });
    button.addEventListener("focus", () => this.point());
    button.addEventListener("blur", () => this.rest());
    button.addEventListener("click", event => this.choose(event));
    formula.append(button);
  }

  /** What the symbol stands for. */
  get standsFor() {
    return this.names.map(name => this.asides[name] ?? name).join("; ");
  }

  /** The colour of the first mark that it names, for its underline; a mark filled with that of the paper has its edge's. */
  get colour() {
    const [mark] = this.names.flatMap(name => named(this.figure, name));
    const colours = [mark?.getAttribute("stroke"), mark?.getAttribute("fill")];
    return colours.find(colour => colour?.startsWith("var(") && !colour.includes("paper")) ?? "";
  }

  point() {
    if (kept !== this) release();
    kept = this;
    this.element.classList.add("lights");
    this.figure.classList.remove("kept");
    light(this.figure, this.names);
    if (!this.element.href && this.element.matches(":hover")) say(this); // a word says it itself
    this.figure.dispatchEvent(new CustomEvent("explorable-pointed", { bubbles: true, detail: { pointer: this.element } }));
  }

  /** The hand has gone: the marks stay lit, quietly. */
  rest() {
    meaning?.hidePopover();
    if (kept === this) this.figure.classList.add("kept");
  }

  /** A click, a tap or Enter. Where the drawing is on the screen, or the page has brought it there, the page stays. */
  choose(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    this.point();
    const chosen = new CustomEvent("explorable-chosen", { bubbles: true, cancelable: true, detail: { pointer: this.element } });
    const { top, bottom } = this.figure.querySelector(".explorable-frame").getBoundingClientRect();
    const brought = !this.figure.dispatchEvent(chosen), seen = bottom > top && top >= 0 && bottom <= innerHeight;
    if (brought || seen || !this.element.href) event.preventDefault();
  }
}

/** Lights marks and asides of a figure, or none. */
export function light(figure, names = []) {
  const { view } = figure;
  figure.keptMarks = names;
  highlight(figure, names);
  view.asides.point(names).then(() => highlight(figure, figure.keptMarks)); // an aside may have been drawn for this
}

/** What lights goes out: something else points, the figure is touched, or Escape is pressed. */
function release() {
  if (!kept) return;
  kept.element.classList.remove("lights");
  kept.figure.classList.remove("kept");
  light(kept.figure);
  kept = null;
}

/** The meaning of a symbol, below it. */
function say({ element, standsFor }) {
  if (!meaning) {
    meaning = Object.assign(document.createElement("p"), { className: "explorable-meaning", popover: "manual" });
    document.body.append(meaning);
  }
  meaning.textContent = standsFor;
  meaning.showPopover();
  const { left, bottom } = element.getBoundingClientRect();
  meaning.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - meaning.offsetWidth - 8))}px`;
  meaning.style.top = `${bottom + 8}px`;
}
