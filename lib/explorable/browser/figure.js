// A figure: its state, what it shows, and how its controls, handles, prompts and panels are connected.

import { make, setText, withMinusSigns } from "./text.js";
import { clamp, positionNamed, round, valueAt } from "./positions.js";
import { PATIENCE } from "./sources.js";
import { description } from "./description.js";
import { PanelView } from "./panel.js";
import { DELAY, Numbers, highlightOnPointer } from "./numbers.js";
import { bindControls } from "./controls.js";
import { Handle } from "./handle.js";
import { Guess } from "./guess.js";
import { Asides } from "./asides.js";
import { Motion } from "./motion.js";

/** Makes the figure of `element` interactive with frames from `source`; returns its view. */
export function mount(element, spec, source) {
  const view = (element.view = new Figure(element, spec, source));
  const controls = spec.parameters.flatMap(parameter => bindControls(view, parameter));
  const handles = spec.handles.map(handle => new Handle(view, handle));
  const prompts = element.nextElementSibling?.matches(".explorable-prompts") ? element.nextElementSibling : null;
  view.guesses = spec.guesses.map(guess => new Guess(view, guess, prompts));
  view.followers.push(...controls, ...handles, ...view.guesses, new Numbers(view), view.asides);
  highlightOnPointer(element);
  element.querySelectorAll(":disabled").forEach(control => (control.disabled = false));
  element.querySelector(".explorable-reset").addEventListener("click", () => view.move(view.start));
  for (const button of prompts?.querySelectorAll(".explorable-jump") ?? [])
    button.addEventListener("click", () => view.show(JSON.parse(button.dataset.at)));
  view.follow();
  return view;
}

/** What a figure shows: positions of its parameters, the newest frame, notes. */
class Figure {
  followers = [];
  guesses = [];
  asked = 0;
  drawn = 0;

  constructor(element, spec, source) {
    Object.assign(this, { element, spec, source, places: spec.places });
    this.stage = element.querySelector(".explorable-frame");
    this.panels = [...this.stage.querySelectorAll(".explorable-panel")];
    this.views = this.panels.map((panel, p) => new PanelView(panel.querySelector("svg"), p, spec.name));
    this.output = element.querySelector("output");
    this.remark = element.querySelector(".explorable-note");
    this.start = Object.fromEntries(spec.parameters.map(p => [p.name, p.position]));
    this.at = { ...this.start };
    this.asides = new Asides(this);
    this.motion = new Motion(this);
  }

  parameter(name) {
    return this.spec.parameters.find(p => p.name === name);
  }

  value(name) {
    return typeof name === "number" ? name : valueAt(this.parameter(name), this.at[name]);
  }

  /** `position` where the parameter can be: within the grid, on it if there is nothing between. */
  allowed(parameter, position, rest) {
    const inside = clamp(0, position, parameter.values.length - 1);
    return parameter.kind !== "slider" || (rest && !this.source.continuous) ? round(inside) : inside;
  }

  /** The reader moves parameters to new positions; `rest` is false during a drag. */
  move(changes, rest = true) {
    this.motion.stop();
    this.element.dispatchEvent(new CustomEvent("explorable-moved", { bubbles: true }));
    if (rest) this.remember();
    return this.place(changes, rest);
  }

  /** Goes to named values, and to the start in the others, through what lies between unless not `animated`; the
      address stays as it is unless `addressed`. */
  async goTo(values, { animated = true, addressed = false } = {}) {
    await this.motion.go({ ...this.start, ...this.positionsOf(values) }, animated);
    if (addressed) this.remember();
  }

  /** Puts parameters at positions and shows their frame. */
  async place(changes, rest = true) {
    for (const [name, position] of Object.entries(changes)) this.at[name] = this.allowed(this.parameter(name), position, rest);
    const number = ++this.asked, frame = this.source.ready(this.at, rest);
    if (frame) return this.draw(number, frame);
    this.follow();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.note(this.source.waiting), PATIENCE);
    try {
      const late = await this.source.get({ ...this.at });
      if (late) this.draw(number, late);
    } catch (reason) {
      if (number === this.asked) this.note(reason.message);
    } finally {
      if (number === this.asked) clearTimeout(this.timer);
    }
  }

  /** The end of a drag: the figure goes to the nearest computed positions. */
  settle(...names) {
    return this.move(Object.fromEntries(names.map(name => [name, this.at[name]])));
  }

  /** Moves to named values; those that no control has are ignored. */
  show(values) {
    return this.move({ ...this.start, ...this.positionsOf(values) });
  }

  /** The positions of named values. */
  positionsOf(values) {
    const positions = Object.entries(values).map(([name, value]) => [name, this.parameter(name) && positionNamed(this.parameter(name), value)]);
    return Object.fromEntries(positions.filter(([, position]) => position !== undefined));
  }

  /** The values that the figure shows, by name. */
  get values() {
    return Object.fromEntries(this.spec.parameters.map(({ name }) => [name, this.value(name)]));
  }

  draw(number, frame) {
    if (number < this.drawn) return;
    this.drawn = number;
    this.note("");
    if (frame.error) return this.fail(frame.error);
    this.recover();
    this.frame = frame;
    for (const view of this.views) view.draw(frame);
    setText(this.output, withMinusSigns(frame.text));
    if (frame.places) this.places = frame.places;
    this.follow();
    this.element.dispatchEvent(new CustomEvent("explorable-drawn"));
    clearTimeout(this.later);
    this.later = setTimeout(() => this.views.forEach((view, p) => view.svg.setAttribute("aria-label", description(frame, p))), DELAY);
  }

  /** Moves controls and handles to the figure's position; updates guesses, asides and the table of numbers. */
  follow() {
    this.followers.forEach(follower => follower.follow());
  }

  fail(error) {
    this.recover();
    this.stage.append(make("pre", { className: "explorable-error", role: "alert", textContent: error }));
    this.panels.forEach(panel => (panel.hidden = true));
    this.follow();
  }

  recover() {
    this.stage.querySelector(".explorable-error")?.remove();
    this.panels.forEach(panel => (panel.hidden = false));
  }

  note(text) {
    if (this.remark.textContent === text) return;
    this.remark.textContent = text;
    this.remark.hidden = !text;
  }

  /** Writes the state into the address of a built page, so that it can be linked. */
  remember() {
    if (!this.source.addressed) return;
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => history.replaceState(history.state, "", `#${this.address}`), DELAY);
  }

  get address() {
    const moved = this.spec.parameters.filter(p => this.at[p.name] !== p.position);
    const state = new URLSearchParams(moved.map(p => [p.name, String(this.value(p.name))]));
    return this.element.id + (moved.length ? `?${state}` : "");
  }

  end() {
    this.followers.forEach(follower => follower.stop?.());
    this.source.close();
  }
}
