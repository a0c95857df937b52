// A point on a panel that the reader drags.

import { valueText } from "./text.js";
import { positionOf, round } from "./positions.js";

/** The handle: dragged, or moved by arrow keys, Home, End and the page keys. */
export class Handle {
  constructor(view, handle) {
    Object.assign(this, { view, handle, axes: ["x", "y"].filter(axis => typeof handle[axis] === "string") });
    this.knob = view.element.querySelector(`[data-handle="${CSS.escape(handle.name)}"]`);
    this.knob.addEventListener("pointerdown", event => this.grab(event));
    this.knob.addEventListener("pointermove", event => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.knob.addEventListener(end, () => this.release());
    this.knob.addEventListener("keydown", event => this.key(event));
  }

  get axis() {
    return this.view.places[this.handle.name];
  }

  /** Left, top and pixels a pixel of the panel under the handle. */
  get box() {
    const box = this.view.panels[this.axis.panel].getBoundingClientRect();
    return { left: box.left, top: box.top, scale: box.width / this.size.w };
  }

  get size() {
    const { width, height } = this.view.views[this.axis.panel].svg.viewBox.baseVal;
    return { w: width, h: height };
  }

  place(axis) {
    const [offset, slope, log] = this.axis[axis], value = this.view.value(this.handle[axis]);
    return offset + slope * (log ? Math.log10(value) : value);
  }

  grab(event) {
    const { left, top, scale } = this.box;
    this.grip = { x: event.clientX - left - scale * this.place("x"), y: event.clientY - top - scale * this.place("y") };
    this.knob.setPointerCapture(event.pointerId);
    this.knob.focus();
    event.preventDefault();
  }

  drag(event) {
    if (!this.grip) return;
    const { left, top, scale } = this.box;
    const point = { x: (event.clientX - left - this.grip.x) / scale, y: (event.clientY - top - this.grip.y) / scale };
    this.move(axis => {
      const [offset, slope, log] = this.axis[axis], value = (point[axis] - offset) / slope;
      return positionOf(this.view.parameter(this.handle[axis]), log ? 10 ** value : value);
    }, false);
  }

  release() {
    if (!this.grip) return;
    this.grip = undefined;
    this.view.settle(...this.axes.map(axis => this.handle[axis]));
  }

  key(event) {
    const far = Infinity;
    const steps = {
      ArrowLeft: { x: -1 }, ArrowRight: { x: 1 }, ArrowDown: { y: -1 }, ArrowUp: { y: 1 },
      Home: { x: -far }, End: { x: far }, PageDown: { y: -far }, PageUp: { y: far },
    }[event.key];
    if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.move(axis => this.view.at[this.handle[axis]] + (steps[axis] ?? 0), true);
  }

  /** Moves the parameters of the free coordinates, if that changes anything. */
  move(position, rest) {
    const moves = this.axes.map(axis => [this.handle[axis], position(axis)]);
    const changes = moves.filter(([name, to]) => this.view.allowed(this.view.parameter(name), to, rest) !== this.view.at[name]);
    if (changes.length) this.view.move(Object.fromEntries(changes), rest);
  }

  follow() {
    const { x, y } = this.handle, { w, h } = this.size;
    this.knob.style.left = `${(100 * this.place("x")) / w}%`;
    this.knob.style.top = `${(100 * this.place("y")) / h}%`;
    const text = `${valueText(this.view.value(x))}, ${valueText(this.view.value(y))}`;
    if (this.knob.getAttribute("aria-valuetext") === text) return;
    this.knob.setAttribute("aria-valuetext", text);
    this.knob.setAttribute("aria-valuenow", round(this.view.at[this.handle[this.axes[0]]]));
  }
}
