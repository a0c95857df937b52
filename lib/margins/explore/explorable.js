// The reader's side of an explorable: controls, the frame, the sentence. Frames come from a source:
// a table baked at build time, or a live kernel. The markup is there before this module runs.
//
// A source is any object with
//   snaps           true if it has frames at whole positions of the grid only
//   waiting         what the reader is told when an answer takes long
//   ready(at)       the frame at positions `at`, if it is at hand now
//   get(at)         a promise of that frame; of null if a newer request took its place
//   close()         the figure is going away
// A frame is {svg, text, places} or {error}. Positions count along the grid of each parameter.

const PATIENCE = 3000;
const FAR_AHEAD = "600px";

const whole = position => Math.round(position);
const clamp = (low, value, high) => Math.min(high, Math.max(low, value));
const shown = value => (typeof value === "number" ? String(Number(value.toPrecision(3))) : String(value));

/** The parameter's value at a position; between grid values only a slider has any. */
export function valueAt({ kind, values, log }, position) {
  if (kind !== "slider" || Number.isInteger(position)) return values[whole(position)];
  const [low, high] = [values[0], values.at(-1)], share = position / (values.length - 1);
  return log ? low * (high / low) ** share : low + (high - low) * share;
}

/** The position at which a slider has `value`, within its ends. */
export function positionOf({ values, log }, value) {
  const [low, high] = [values[0], values.at(-1)];
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return clamp(0, Number.isNaN(share) ? 0 : share, 1) * (values.length - 1);
}

/** Frames computed at build time, fetched once; lines of SVG that frames share are stored once. */
export class BakedSource {
  snaps = true;
  waiting = "The frames of this figure are still on their way.";

  constructor(spec, url) {
    this.spec = spec;
    this.url = url;
  }

  load() {
    this.loading ??= fetch(this.url)
      .then(answer => (answer.ok ? answer.json() : Promise.reject(Error(`HTTP ${answer.status}`))))
      .then(table => (this.table = table))
      .catch(reason => {
        this.loading = undefined; // the next move tries again
        throw Error(`This figure could not load its frames (${reason.message}); it stays as it is.`);
      });
    return this.loading;
  }

  ready(at) {
    if (!this.table) return undefined;
    const index = this.spec.parameters.reduce((n, p) => n * p.values.length + whole(at[p.name]), 0);
    const { svg, ...rest } = this.table.frames[index];
    return { ...rest, svg: svg.map(line => this.table.lines[line]).join("\n") };
  }

  async get(at) {
    this.newest = at;
    await this.load();
    return this.newest === at ? this.ready(at) : null;
  }

  close() {}
}

/** A live kernel. One request in flight; of those that wait only the newest is sent. */
export class KernelSource {
  snaps = false;
  waiting = "No answer from the kernel yet: it is busy, or it is not running and the cell must be run again.";
  view = Math.random();
  count = 0;

  constructor(spec, model) {
    this.spec = spec;
    this.model = model;
    this.listen = message => this.answered(message);
    model.on("msg:custom", this.listen);
  }

  ready() {}

  get(at) {
    const values = Object.fromEntries(this.spec.parameters.map(p => [p.name, valueAt(p, at[p.name])]));
    return new Promise((resolve, reject) => {
      const request = { values, resolve, reject };
      const lost = this.flight && performance.now() - this.flight.sent > PATIENCE;
      this.next?.resolve(null);
      this.next = undefined;
      if (this.flight && !lost) return (this.next = request);
      this.flight?.resolve(null);
      return this.send(request);
    });
  }

  send(request) {
    this.flight = Object.assign(request, { id: [this.view, ++this.count], sent: performance.now() });
    try {
      this.model.send({ id: request.id, values: request.values });
    } catch (reason) {
      this.flight = undefined;
      request.reject(Error(`The kernel cannot be reached (${reason.message}).`));
    }
  }

  answered({ id, ...frame }) {
    if (!this.flight || id?.[0] !== this.view || id[1] !== this.flight.id[1]) return;
    const [{ resolve }, next] = [this.flight, this.next];
    this.flight = this.next = undefined;
    if (next) this.send(next);
    resolve(frame);
  }

  close() {
    this.model.off("msg:custom", this.listen);
  }
}

/** Brings the figure to life over `source`; returns a function that ends it. */
export function mount(figure, spec, source) {
  const view = new Figure(figure, spec, source);
  const controls = spec.parameters.flatMap(parameter => bind(view, parameter));
  const handles = spec.handles.map(handle => new Handle(view, handle));
  view.followers.push(...controls, ...handles);
  figure.querySelectorAll(":disabled").forEach(element => (element.disabled = false));
  view.follow();
  return () => {
    view.followers.forEach(follower => follower.stop?.());
    source.close();
  };
}

/** What a figure shows: positions of its parameters, the newest frame, notes. */
class Figure {
  followers = [];
  asked = 0;
  drawn = 0;

  constructor(element, spec, source) {
    Object.assign(this, { element, spec, source, places: spec.places });
    this.frame = element.querySelector(".explorable-frame");
    this.output = element.querySelector("output");
    this.remark = element.querySelector(".explorable-note");
    this.at = Object.fromEntries(spec.parameters.map(p => [p.name, p.position]));
  }

  parameter(name) {
    return this.spec.parameters.find(p => p.name === name);
  }

  value(name) {
    return typeof name === "number" ? name : valueAt(this.parameter(name), this.at[name]);
  }

  /** `position` where the parameter can be: within the grid, on it if that is all there is. */
  allowed(parameter, position) {
    const inside = clamp(0, position, parameter.values.length - 1);
    return this.source.snaps || parameter.kind !== "slider" ? whole(inside) : inside;
  }

  /** Moves parameters to new positions and shows their frame, now if it is at hand. */
  async move(changes) {
    for (const [name, position] of Object.entries(changes))
      this.at[name] = this.allowed(this.parameter(name), position);
    const number = ++this.asked, frame = this.source.ready(this.at);
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

  draw(number, { svg, text, places, error }) {
    if (number < this.drawn) return;
    this.drawn = number;
    this.note("");
    if (error) this.fail(error);
    else {
      this.frame.innerHTML = svg;
      this.output.textContent = text;
      if (places) this.places = places;
    }
    this.follow();
  }

  /** Controls and handles where the figure is. */
  follow() {
    this.followers.forEach(follower => follower.follow());
  }

  fail(error) {
    const report = document.createElement("pre");
    report.className = "explorable-error";
    report.role = "alert";
    report.textContent = error;
    this.frame.replaceChildren(report);
  }

  note(text) {
    if (this.remark.textContent === text) return;
    this.remark.textContent = text;
    this.remark.hidden = !text;
  }
}

/** The controls of one parameter: what each does when moved, and how it follows the figure. */
function bind(view, parameter) {
  const { name } = parameter;
  return [...view.element.querySelectorAll(`[name="${CSS.escape(name)}"]`)].map(element => {
    if (element.type === "range") return new Scale(view, parameter, element);
    if (element.type === "button") return new Player(view, parameter, element);
    const field = element.type === "checkbox" ? "checked" : "value";
    element.addEventListener("input", () => view.move({ [name]: Number(element[field]) }));
    return { follow: () => (element[field] = field === "checked" ? Boolean(view.at[name]) : view.at[name]) };
  });
}

class Scale {
  constructor(view, parameter, input) {
    Object.assign(this, { view, parameter, input });
    this.label = input.parentElement.querySelector(".explorable-value");
    if (!view.source.snaps && parameter.kind === "slider") input.step = "any";
    input.addEventListener("input", () => view.move({ [parameter.name]: Number(input.value) }));
  }

  follow() {
    const position = this.view.at[this.parameter.name], text = shown(this.view.value(this.parameter.name));
    if (Number(this.input.value) !== position) this.input.value = position;
    if (this.label.textContent === text) return;
    this.label.textContent = text;
    this.input.setAttribute("aria-valuetext", text);
  }
}

/** A button that lets a parameter run to its end; a step at a time for who asked for less motion. */
class Player {
  calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(view, parameter, button) {
    Object.assign(this, { view, parameter, button, last: parameter.values.length - 1 });
    this.pause = clamp(120, 6000 / parameter.values.length, 600);
    this.running = false;
    button.addEventListener("click", () => (this.running ? this.stop() : this.start()));
  }

  start() {
    this.running = !this.calm.matches;
    this.step(this.view.at[this.parameter.name] >= this.last ? 0 : undefined);
  }

  async step(to = this.view.at[this.parameter.name] + 1) {
    this.expected = to;
    await this.view.move({ [this.parameter.name]: to });
    if (this.running) this.timer = setTimeout(() => this.step(), this.pause);
  }

  stop() {
    this.running = false;
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

/** A point on the drawing that the reader drags, or moves by arrow keys, Home, End and the page keys. */
class Handle {
  constructor(view, handle) {
    Object.assign(this, { view, handle, axes: ["x", "y"].filter(axis => typeof handle[axis] === "string") });
    this.button = view.element.querySelector(`[data-handle="${CSS.escape(handle.name)}"]`);
    this.button.addEventListener("pointerdown", event => this.grab(event));
    this.button.addEventListener("pointermove", event => this.drag(event));
    this.button.addEventListener("keydown", event => this.key(event));
  }

  /** Pixels of a point of the drawing, and back. */
  get box() {
    const box = this.view.frame.getBoundingClientRect(), { width } = this.view.frame.firstElementChild.viewBox.baseVal;
    return { left: box.left, top: box.top, scale: box.width / width };
  }

  place(axis) {
    const [offset, slope, log] = this.view.places[this.handle.name][axis], value = this.view.value(this.handle[axis]);
    return offset + slope * (log ? Math.log10(value) : value);
  }

  grab(event) {
    const { left, top, scale } = this.box;
    this.grip = { x: event.clientX - left - scale * this.place("x"), y: event.clientY - top - scale * this.place("y") };
    this.button.setPointerCapture(event.pointerId);
    this.button.focus();
    event.preventDefault();
  }

  drag(event) {
    if (!this.button.hasPointerCapture(event.pointerId) || !this.view.frame.querySelector("svg")) return;
    const { left, top, scale } = this.box;
    const point = { x: (event.clientX - left - this.grip.x) / scale, y: (event.clientY - top - this.grip.y) / scale };
    this.move(axis => {
      const [offset, slope, log] = this.view.places[this.handle.name][axis], value = (point[axis] - offset) / slope;
      return positionOf(this.view.parameter(this.handle[axis]), log ? 10 ** value : value);
    });
  }

  key(event) {
    const far = Infinity;
    const steps = {
      ArrowLeft: { x: -1 }, ArrowRight: { x: 1 }, ArrowDown: { y: -1 }, ArrowUp: { y: 1 },
      Home: { x: -far }, End: { x: far }, PageDown: { y: -far }, PageUp: { y: far },
    }[event.key];
    if (!steps || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.move(axis => this.view.at[this.handle[axis]] + (steps[axis] ?? 0));
  }

  /** Moves the parameters of the free coordinates, if that changes anything. */
  move(position) {
    const moves = this.axes.map(axis => [this.handle[axis], position(axis)]);
    const changes = moves.filter(([name, to]) => this.view.allowed(this.view.parameter(name), to) !== this.view.at[name]);
    if (changes.length) this.view.move(Object.fromEntries(changes));
  }

  follow() {
    const size = this.view.frame.querySelector("svg")?.viewBox.baseVal, { x, y, label } = this.handle;
    if (size) {
      this.button.style.left = `${(100 * this.place("x")) / size.width}%`;
      this.button.style.top = `${(100 * this.place("y")) / size.height}%`;
    }
    const text = `${label}: ${shown(this.view.value(x))}, ${shown(this.view.value(y))}; arrow keys move it`;
    this.button.setAttribute("aria-label", text);
  }
}

/** The figures of a built page; each fetches its frames when it comes near. */
function mountPage() {
  const near = new IntersectionObserver(
    entries => entries.filter(entry => entry.isIntersecting).forEach(({ target }) => {
      near.unobserve(target);
      target.source.load().catch(() => {}); // told when the reader moves something
    }),
    { rootMargin: FAR_AHEAD },
  );
  for (const figure of document.querySelectorAll('figure.explorable[data-source="baked"]')) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    figure.source = new BakedSource(spec, new URL(figure.dataset.frames, document.baseURI));
    mount(figure, spec, figure.source);
    near.observe(figure);
  }
}
mountPage();

/** What a live kernel's anywidget calls. */
export default {
  render({ model, el }) {
    el.innerHTML = model.get("markup");
    const figure = el.querySelector("figure"), spec = model.get("spec");
    figure.dataset.lmSuppressShortcuts = "true"; // keys that move a control are not JupyterLab's commands
    return mount(figure, spec, new KernelSource(spec, model));
  },
};
