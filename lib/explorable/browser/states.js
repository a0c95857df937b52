// States that the text gives to its figures: the button of a paragraph takes the figure to its state once the paragraph
// comes to the line at which one reads. The reader's own move ends this until the reader asks for it again.

import { makeButton } from "./text.js";

export const LINE = 0.5; // of the window's height: a paragraph above it is being read
const PAUSE = 90; // milliseconds: who flies over a section does not see its figures come and go

/** Sets up all figures of the page that the text speaks of; nothing moves before the reader scrolls. */
export function bindStates() {
  const buttons = [...document.querySelectorAll(".explorable-state")], guides = new Map();
  for (const button of buttons) {
    const figure = document.getElementById(button.dataset.figure);
    if (!figure?.view) continue;
    if (!guides.has(figure)) guides.set(figure, new Guide(figure));
    guides.get(figure).add(button);
  }
  if (!guides.size) return;
  let listening;
  const listen = () => {
    clearTimeout(listening);
    listening = setTimeout(() => guides.forEach(guide => guide.follow()), PAUSE);
  };
  addEventListener("scroll", listen, { passive: true });
}

/** Whether `element` is to be seen and begins above the line. A section off the screen is not laid out yet, and a question about
 *  what stands in it would do so: there the section itself tells. */
export function isAbove(element, line) {
  const section = element.closest("article > section > section")?.getBoundingClientRect();
  const isOff = section && (section.bottom < 0 || section.top > innerHeight);
  if (isOff) return section.top < line && !element.closest("details:not([open]) > :not(summary)");
  return element.checkVisibility() && element.getBoundingClientRect().top < line;
}

/** Takes one figure where the text wants it. */
class Guide {
  buttons = [];
  current = null; // the button whose state the figure has
  taken = false; // by the reader
  own = null; // where the reader had it

  constructor(figure) {
    Object.assign(this, { figure, view: figure.view, line: figure.querySelector(".explorable-follows") });
    figure.addEventListener("explorable-moved", () => this.leave());
  }

  add(button) {
    this.buttons.push(button);
    button.addEventListener("click", () => this.ask(button));
  }

  /** The last state above the line is shown; above the first the figure is as it starts. */
  follow() {
    const last = this.buttons.findLast(button => isAbove(button, innerHeight * LINE)) ?? null;
    if (last === this.current) return;
    this.tell(last);
    if (!this.taken) this.show();
  }

  tell(button) {
    this.current?.parentElement.classList.remove("current");
    this.current = button;
    button?.parentElement.classList.add("current");
    this.write();
  }

  show() {
    const { at, asides } = this.current?.dataset ?? { at: "{}", asides: "" };
    this.view.asides.hold(asides.split(" ").filter(Boolean));
    return this.view.goTo(JSON.parse(at));
  }

  /** The reader asks for the state of a paragraph. */
  ask(button) {
    this.taken = false;
    this.tell(button);
    this.show();
    const chosen = new CustomEvent("explorable-chosen", { bubbles: true, cancelable: true, detail: { pointer: button } });
    const { top, bottom } = this.figure.querySelector(".explorable-frame").getBoundingClientRect();
    const brought = !this.figure.dispatchEvent(chosen), seen = top >= 0 && bottom <= innerHeight;
    if (!brought && !seen) this.figure.scrollIntoView({ block: "center" });
  }

  /** The reader has moved the figure. */
  leave() {
    if (this.taken) return; // with each further move, too
    this.taken = true;
    this.own = null;
    this.view.asides.hold([]);
    this.write();
  }

  /** Back to the text's state; the reader's own is remembered. */
  back() {
    this.own = { ...this.view.values };
    this.taken = false;
    this.show();
    this.write();
  }

  again() {
    this.view.asides.hold([]);
    this.view.goTo(this.own);
    this.taken = true;
    this.own = null;
    this.write();
  }

  /** The line above the figure: whose state it shows, and the way back. */
  write() {
    if (this.taken && this.current) this.line.replaceChildren("Moved by you. ", makeButton("Follow the text", () => this.back()));
    else if (this.own) this.line.replaceChildren("Follows the text. ", makeButton("Yours again", () => this.again()));
    else this.line.textContent = this.current ? "Follows the text" : "";
  }
}
