// What running code leads to: how far Python is, the verdict, the lines of an error, what was printed.

import { make } from "./dom.js";

/** A text, in which what stands between `backticks` is code. */
const withCode = text => text.split(/`([^`\n]+)`/).map((part, k) => (k % 2 ? make("code", {}, part) : part));

export class Report {
  constructor() {
    this.verdict = make("p", { className: "verdict", role: "status" });
    this.detail = make("pre", { className: "detail" });
    this.printed = make("pre", { className: "printed", "aria-label": "What your code printed", role: "group" });
    this.bar = make("progress", { max: 1, hidden: true, "aria-label": "Python is being loaded" });
    this.elements = [this.verdict, this.detail, this.printed];
  }

  /** Something begins, and what was said before goes. */
  begin(text) {
    this.say("", text);
    this.detail.textContent = this.printed.textContent = "";
    this.bar.hidden = true;
  }

  say(kind, text) {
    this.verdict.dataset.verdict = kind;
    this.verdict.replaceChildren(...withCode(text));
  }

  /** How far Python is on its way: a step, and a share of all. */
  progress(step, share) {
    this.bar.hidden = false;
    this.bar.value = share;
    this.say("", `${step} …`);
  }

  /** Python is there. */
  ready() {
    this.bar.hidden = true;
    this.say("", "Running …");
  }

  output(text) {
    this.printed.append(text);
  }

  tell({ verdict, text, detail = "" }) {
    this.bar.hidden = true;
    this.say(verdict, text || "Right.");
    this.detail.textContent = detail;
  }
}
