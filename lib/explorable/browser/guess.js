// A guess: the reader turns a dashed arrow to where an arrow of the figure will point.

import { clamp, positionNamed, round } from "./positions.js";

const TURN = { ArrowLeft: 5, ArrowUp: 5, ArrowRight: -5, ArrowDown: -5, PageUp: 45, PageDown: -45 }; // degrees
export const degrees = (x, y) => (Math.atan2(0 - y, x) * 180) / Math.PI; // on a screen y grows downwards
export const turned = angle => angle - 360 * Math.ceil((angle - 180) / 360); // above -180, at most 180

/** The dashed arrow, the button that compares it, and the verdict. */
export class Guess {
  drawn = false; // by the reader
  compared = false;

  constructor(view, guess, prompts) {
    Object.assign(this, { view, guess, panel: view.panels[guess.panel], angle: guess.begins });
    this.knob = this.panel.querySelector(`[data-arrow="${CSS.escape(guess.arrow)}"]`);
    this.shaft = this.knob.previousElementSibling;
    const row = prompts.querySelector(`[data-guess="${CSS.escape(guess.arrow)}"]`);
    this.verdict = row.querySelector("[role=status]");
    row.querySelector("button").addEventListener("click", () => this.compare());
    row.closest("li").querySelector(".explorable-jump").addEventListener("click", () => (this.compared = true));
    this.knob.addEventListener("pointerdown", event => this.grab(event));
    this.knob.addEventListener("pointermove", event => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.knob.addEventListener(end, () => (this.dragged = false));
    this.knob.addEventListener("keydown", event => this.key(event));
  }

  grab(event) {
    this.dragged = true;
    this.knob.setPointerCapture(event.pointerId);
    this.knob.focus();
    event.preventDefault();
  }

  drag(event) {
    if (!this.dragged) return;
    const box = this.panel.getBoundingClientRect(), [x, y] = this.guess.from, scale = box.width / this.size.width;
    this.turn(round(degrees(event.clientX - box.left - scale * x, event.clientY - box.top - scale * y)));
  }

  key(event) {
    const turn = TURN[event.key];
    if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.turn(turned(this.angle + turn));
  }

  get size() {
    return this.view.views[this.guess.panel].svg.viewBox.baseVal;
  }

  /** Points the dashed arrow at `angle`, degrees above the horizontal. */
  turn(angle) {
    Object.assign(this, { angle, drawn: true });
    const { from: [x, y], length } = this.guess, { width, height } = this.size, turn = (angle * Math.PI) / 180;
    const tip = [x + length * Math.cos(turn), y - length * Math.sin(turn)];
    this.shaft.style.rotate = `${-angle}deg`;
    this.knob.style.left = `${(100 * tip[0]) / width}%`;
    this.knob.style.top = `${(100 * tip[1]) / height}%`;
    this.knob.setAttribute("aria-valuenow", angle);
    this.knob.setAttribute("aria-valuetext", `${angle}°`.replace("-", "−"));
    this.follow();
  }

  /** Goes to where the arrow is compared; a control that runs (a Player) runs there, unless the reader asked for less motion. */
  async compare() {
    this.compared = true;
    const { at } = this.guess, runner = this.view.followers.find(one => one.start && one.parameter.name in at);
    if (!runner || runner.calm.matches) return this.view.show(at);
    await this.view.show({ ...at, [runner.parameter.name]: runner.parameter.values[0] });
    runner.start();
  }

  /** Whether the figure shows where the arrow is compared. */
  get isThere() {
    return Object.entries(this.guess.at).every(([name, value]) => this.view.at[name] === positionNamed(this.view.parameter(name), value));
  }

  /** The aside to which the arrow belongs: it is shown once the reader has asked for it. */
  get aside() {
    return this.compared && this.isThere ? this.guess.aside : "";
  }

  /** Writes the verdict, in whole degrees, while the figure shows the arrow. */
  follow() {
    const { arrow, panel } = this.guess;
    const mark = this.drawn && this.isThere && this.view.frame?.marks.find(mark => mark.k === arrow && mark.p === panel);
    if (!mark) return;
    const [x, y, tipX, tipY] = mark.n, off = Math.abs(turned(this.angle - degrees(tipX - x, tipY - y)));
    this.verdict.textContent = `You were ${clamp(0, round(off), 180)}° off.`;
  }
}
