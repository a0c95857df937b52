// The table of reported values, and highlighting: marks, linked marks and rows of the table together.

import { escape } from "./text.js";
import { numbers } from "./description.js";

export const DELAY = 200; // milliseconds after the last move until the table, the description and the address follow

/** The table of the values that marks report, made when it is open; its rows can be reached by keyboard. */
export class Numbers {
  constructor(view) {
    this.view = view;
    this.details = view.element.querySelector(".explorable-numbers");
    this.details.addEventListener("toggle", () => this.write());
  }

  follow() {
    clearTimeout(this.timer);
    if (this.details.open) this.timer = setTimeout(() => this.write(), DELAY);
  }

  async write() {
    if (!this.details.open) return;
    const frame = this.view.frame ?? (await this.view.source.get({ ...this.view.at }));
    if (!frame?.marks) return;
    const rows = numbers(frame), heads = [...new Set([...rows.values()].flatMap(Object.keys))];
    const head = heads.map(what => `<th scope="col">${escape(what)}</th>`).join("");
    const body = [...rows].map(([key, row]) => `<tr tabindex="0" data-l="${escape(key)}"><th scope="row">${escape(key)}</th>${heads.map(what => `<td>${row[what] ?? ""}</td>`).join("")}</tr>`);
    const focused = this.details.contains(document.activeElement) && document.activeElement.dataset.l;
    this.details.lastElementChild.innerHTML = `<table><thead><tr><td></td>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
    if (focused) this.details.querySelector(`tr[data-l="${CSS.escape(focused)}"]`)?.focus();
  }

  stop() {
    clearTimeout(this.timer);
  }
}

/** The marks and rows of a name; where no mark has it, of all that begin with it ("token" of token 0, token 1, ...). */
export function named(figure, name) {
  const own = figure.querySelectorAll(`[data-l="${CSS.escape(name)}"]`);
  return own.length ? [...own] : [...figure.querySelectorAll(`[data-l^="${CSS.escape(name)} "]`)];
}

/** Highlights the marks and rows of these names, or none. */
export function highlight(figure, names = []) {
  const lit = names.flatMap(name => named(figure, name));
  figure.querySelectorAll(".lit").forEach(element => element.classList.remove("lit"));
  lit.forEach(element => element.classList.add("lit"));
  figure.classList.toggle("lighting", lit.length > 0);
}

/** Highlights what the pointer is on; where that is nothing the focused row, or the mark of a chosen word. */
export function highlightOnPointer(figure) {
  const key = element => element?.closest("[data-l]")?.dataset.l;
  const names = element => (key(element) ? [key(element)] : undefined);
  const kept = () => names(figure.querySelector("[data-l]:focus")) ?? figure.keptMarks;
  figure.addEventListener("pointerover", event => highlight(figure, names(event.target) ?? kept()));
  figure.addEventListener("pointerleave", () => highlight(figure, kept()));
  figure.addEventListener("focusin", event => highlight(figure, names(event.target) ?? figure.keptMarks));
  figure.addEventListener("focusout", () => highlight(figure, figure.keptMarks));
}
