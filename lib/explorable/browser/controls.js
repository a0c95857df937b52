// The native controls of a figure: menus, checkboxes, sliders, and buttons that run through the values.

import { setText, valueText } from "./text.js";
import { clamp, round } from "./positions.js";

/** The controls of one parameter: what each does when moved, and how it follows the figure. */
export function bindControls(view, parameter) {
  const { name } = parameter;
  return [...view.element.querySelectorAll(`[name="${CSS.escape(name)}"]`)].map(element => {
    if (element.type === "range") return new Slider(view, parameter, element);
    if (element.type === "button") return new Player(view, parameter, element);
    const field = element.type === "checkbox" ? "checked" : "value";
    element.addEventListener("input", () => view.move({ ...parameter.brings?.[element[field]], [name]: Number(element[field]) }));
    return { follow: () => (element[field] = field === "checked" ? Boolean(view.at[name]) : view.at[name]) };
  });
}

/** A slider: it flows under the pointer and goes by steps under the keys. */
class Slider {
  constructor(view, parameter, input) {
    Object.assign(this, { view, parameter, input, name: parameter.name, last: parameter.values.length - 1 });
    this.label = input.parentElement.querySelector(".explorable-value");
    input.addEventListener("input", () => view.move({ [this.name]: Number(input.value) }, false));
    input.addEventListener("change", () => view.settle(this.name));
    input.addEventListener("keydown", event => this.key(event));
  }

  key(event) {
    const page = Math.max(1, round(this.last / 10));
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -page, PageUp: page, Home: -Infinity, End: Infinity }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = this.view.at[this.name], from = step > 0 ? Math.floor(at + 1e-9) : Math.ceil(at - 1e-9);
    this.view.move({ [this.name]: from + step });
  }

  follow() {
    const position = this.view.at[this.name], text = valueText(this.view.value(this.name));
    if (Number(this.input.value) !== position) this.input.value = position;
    if (this.label.textContent === text) return;
    setText(this.label, text);
    this.input.setAttribute("aria-valuetext", text);
  }
}

/** Buttons that let a parameter run to its end, or go a step; no running for who asked for less motion. */
class Player {
  calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(view, parameter, button) {
    Object.assign(this, { view, parameter, button, last: parameter.values.length - 1 });
    this.pause = clamp(120, 6000 / parameter.values.length, 600);
    this.running = false;
    button.addEventListener("click", () => (this.running ? this.stop() : this.start()));
    for (const single of button.closest(".explorable-play").querySelectorAll(".explorable-step"))
      single.addEventListener("click", () => view.move({ [parameter.name]: view.at[parameter.name] + Number(single.dataset.step) }));
  }

  start() {
    this.running = !this.calm.matches;
    this.step(this.view.at[this.parameter.name] >= this.last ? 0 : undefined);
  }

  async step(to = this.view.at[this.parameter.name] + 1) {
    this.expected = to;
    this.view.output.ariaLive = this.running && to < this.last ? "off" : "polite"; // a reader aloud would fall behind
    await this.view.move({ [this.parameter.name]: to });
    if (this.running) this.timer = setTimeout(() => this.step(), this.pause);
  }

  stop() {
    this.running = false;
    this.view.output.ariaLive = "polite";
    clearTimeout(this.timer);
    this.follow();
  }

  follow() {
    const position = this.view.at[this.parameter.name];
    if (this.running && (position >= this.last || position !== this.expected)) return this.stop();
    const verb = this.running ? "Pause" : this.calm.matches ? "Next step of" : "Play";
    this.button.dataset.running = this.running;
    this.button.setAttribute("aria-label", `${verb} ${this.parameter.label}`);
  }
}
