// The reader's side of an explorable. A figure is data: a frame is a list of marks, each with a panel
// `p`, key `k`, kind `t`, link `l`, look `s`, numbers `n` in tenths of a pixel and what it tells.
// Marks come from a source, which is any object with
//   waiting          what the reader is told when an answer takes long
//   ready(at, rest)  the frame at positions `at`, if it is at hand; between computed positions only while not at rest
//   get(at)          a promise of it; of null if a newer request took its place
//   close()          the figure is going away
// A frame is {panels, marks, text} or {error}. Positions count along the grid of each parameter.
// The still picture of the same marks is there before this module runs (picture.py).

const PATIENCE = 3000;
const REST = 200; // milliseconds until words that few look at follow the hand
const FAR_AHEAD = "600px";

const whole = position => Math.round(position);
const clamp = (low, value, high) => Math.min(high, Math.max(low, value));
const signed = text => text.replace(/(?<![\w.])-(?=\d)/g, "\u2212"); // a minus before a number is no hyphen
const digits = value => (Math.abs(value) < 1000 ? Number(value.toPrecision(3)) : Math.round(value));
export const shown = value => signed(String(typeof value === "number" ? digits(value) : value));
const say = (element, text) => { // a new node would have the browser look through the style sheet again
  if (element.textContent === text) return;
  if (element.firstChild?.nodeType === 3) element.firstChild.data = text;
  else element.textContent = text;
};
const escape = text => String(text).replace(/[&<>"']/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" })[c]);

// ---- values and positions -------------------------------------------------------------------------

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

/** The computed position of a value as text, or undefined where it is none of this control's. */
export function positionNamed(parameter, text) {
  const { kind, values } = parameter;
  if (kind === "slider") {
    const value = Number(text);
    return text !== "" && value >= values[0] && value <= values.at(-1) ? whole(positionOf(parameter, value)) : undefined;
  }
  const found = values.findIndex(value => String(value) === String(text));
  return found < 0 ? undefined : found;
}

// ---- the baked table ------------------------------------------------------------------------------

/** Undoes the differences along each axis of the grid (table.py); small numbers take half the memory. */
export function decode(table) {
  const { grid } = table, count = grid.reduce((a, b) => a * b, 1);
  table.columns = table.columns.map(differences => {
    const column = Int32Array.from(differences);
    for (let axis = 0, stride = count; axis < grid.length; axis++) {
      const block = stride;
      stride /= grid[axis];
      for (let i = 0; i < count; i++) if (i % block >= stride) column[i] += column[i - stride];
    }
    return column.every(number => Math.abs(number) < 2 ** 15) ? Int16Array.from(column) : column;
  });
  for (const mark of table.marks) if (stays(mark)) mark.still = { ...mark, s: mark.s[0] };
  return table;
}

/** Whether a mark is the same everywhere: then it is one object in all frames. */
function stays({ on, look, n, told = [] }) {
  const slots = [...n, ...told.flatMap(([, ...digits]) => digits)];
  return on === undefined && look === undefined && slots.every(slot => typeof slot === "number");
}

/** The computed positions around `at` with their shares, the nearest first. */
function corners(grid, at, rest) {
  let found = [[0, 1]];
  at.forEach((position, axis) => {
    const low = Math.min(Math.floor(position), grid[axis] - 1), share = rest ? whole(position - low) : position - low;
    const next = Math.min(low + 1, grid[axis] - 1);
    found = found.flatMap(([n, part]) => [[n * grid[axis] + low, part * (1 - share)], [n * grid[axis] + next, part * share]]);
    found = found.filter(([, part]) => part > 1e-9);
  });
  return found.sort((a, b) => b[1] - a[1]);
}

/** The frame at positions `at` along the grid. What has the same look all around is interpolated unless at rest. */
export function frameAt(table, at, rest = true) {
  const around = corners(table.grid, at, rest), [here] = around[0], { columns } = table;
  const there = (slot, n) => (typeof slot === "number" ? slot : slot[1] + columns[slot[0]][n]);
  const nearest = slot => there(slot, here);
  const between = slot => {
    if (typeof slot === "number") return slot;
    let sum = slot[1];
    for (const [n, part] of around) sum += part * columns[slot[0]][n];
    return sum;
  };
  const same = slot => slot === undefined || around.every(([n]) => there(slot, n) === nearest(slot));
  const marks = [];
  for (const mark of table.marks) {
    if (mark.still) {
      marks.push(mark.still);
      continue;
    }
    if (mark.on !== undefined && !nearest(mark.on)) continue;
    const moves = around.length > 1 && same(mark.on) && same(mark.look);
    const { p, k, t, l } = mark, s = mark.s[mark.look === undefined ? 0 : nearest(mark.look)];
    const told = mark.told?.map(([name, ...slots]) => [name, ...slots.map(nearest)]);
    marks.push({ p, k, t, l, s, n: mark.n.map(moves ? between : nearest), told });
  }
  return { panels: table.panels, marks, text: sentence(table.texts, nearest) };
}

function sentence({ templates, which, n }, value) {
  const [pieces, decimals] = templates[value(which)];
  return pieces[0] + decimals.map((d, i) => (value(n[i]) / 10 ** d).toFixed(d) + pieces[i + 1]).join("");
}

/** Frames computed at build time, fetched once. */
export class BakedSource {
  waiting = "The positions of this figure are still on their way.";
  addressed = true;

  constructor(spec, url) {
    this.spec = spec;
    this.url = url;
  }

  load() {
    this.loading ??= fetch(this.url)
      .then(answer => (answer.ok ? answer.json() : Promise.reject(Error(`HTTP ${answer.status}`))))
      .then(table => (this.table = decode(table)))
      .catch(reason => {
        this.loading = undefined; // the next move tries again
        throw Error(`This figure could not load its positions (${reason.message}); it stays as it is.`);
      });
    return this.loading;
  }

  ready(at, rest) {
    return this.table && frameAt(this.table, this.spec.parameters.map(p => at[p.name]), rest);
  }

  async get(at) {
    this.newest = at;
    await this.load();
    return this.newest === at ? this.ready(at, true) : null;
  }

  close() {}
}

/** A live kernel: continuous values. One request in flight; of those that wait only the newest is sent. */
export class KernelSource {
  waiting = "No answer from the kernel yet: it is busy, or it is not running and the cell must be run again.";
  continuous = true;
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

  answered({ id, frame, error }) {
    if (!this.flight || id?.[0] !== this.view || id[1] !== this.flight.id[1]) return;
    const [{ resolve }, next] = [this.flight, this.next];
    this.flight = this.next = undefined;
    if (next) this.send(next);
    resolve(frame ?? { error });
  }

  close() {
    this.model.off("msg:custom", this.listen);
  }
}

// ---- marks as SVG, element by element what picture.py writes ---------------------------------------

const COLOURS = {
  ink: "currentColor", paper: "var(--m-paper, #ffffff)", muted: "var(--muted, #767676)", c0: "var(--m-c0, #0072b2)",
  c1: "var(--m-c1, #d55e00)", c2: "var(--m-c2, #009e73)", c3: "var(--m-c3, #cc79a7)", c4: "var(--m-c4, #e69f00)", c5: "var(--m-c5, #56b4e9)",
};
const ANCHOR = { left: "start", center: "middle", right: "end" };
const SHIFT = { b: 3, p: -5 };
const HEAD = 90;
const tenth = n => String(whole(n) / 10 + 0);
const path = n => { let d = ""; for (let i = 0; i < n.length; i += 2) d += `${i ? "L" : "M"}${tenth(n[i])} ${tenth(n[i + 1])}`; return d; };

const MARKERS = {
  o: (x, y, r) => [x - r, y, `a${tenth(r)} ${tenth(r)} 0 1 0 ${tenth(2 * r)} 0a${tenth(r)} ${tenth(r)} 0 1 0 ${tenth(-2 * r)} 0z`],
  s: (x, y, r) => [x - r, y - r, `h${tenth(2 * r)}v${tenth(2 * r)}h${tenth(-2 * r)}z`],
  "^": (x, y, r) => [x, y - r, `l${tenth(r)} ${tenth(2 * r)}h${tenth(-2 * r)}z`],
  v: (x, y, r) => [x, y + r, `l${tenth(-r)} ${tenth(-2 * r)}h${tenth(2 * r)}z`],
  D: (x, y, r) => [x - r, y, `l${tenth(r)} ${tenth(-r)}l${tenth(r)} ${tenth(r)}l${tenth(-r)} ${tenth(r)}z`],
  P: (x, y, r, t = whole(r / 3)) => [x - t, y - r,
    `h${tenth(2 * t)}v${tenth(r - t)}h${tenth(r - t)}v${tenth(2 * t)}h${tenth(t - r)}v${tenth(r - t)}` +
    `h${tenth(-2 * t)}v${tenth(t - r)}h${tenth(t - r)}v${tenth(-2 * t)}h${tenth(r - t)}z`],
  x: (x, y, r) => [x - r, y - r, `l${tenth(2 * r)} ${tenth(2 * r)}m0 ${tenth(-2 * r)}l${tenth(-2 * r)} ${tenth(2 * r)}`],
  "+": (x, y, r) => [x - r, y, `h${tenth(2 * r)}m${tenth(-r)} ${tenth(-r)}v${tenth(2 * r)}`],
  "|": (x, y, r) => [x, y - r, `v${tenth(2 * r)}`],
};
const PATHS = {
  line: path,
  area: n => `${path(n)}z`,
  bar: n => `M${tenth(n[0])} ${tenth(n[1])}H${tenth(n[2])}V${tenth(n[3])}H${tenth(n[0])}z`,
  dot: (n, { marker }) => { const [x, y, d] = MARKERS[marker](...n.map(whole)); return `M${tenth(x)} ${tenth(y)}${d}`; },
  arrow(n) {
    const [x0, y0, x1, y1] = n, length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2);
    if (!length) return path(n);
    const size = Math.min(HEAD, length), ux = (size * (x1 - x0)) / length, uy = (size * (y1 - y0)) / length;
    const left = [whole(x1 - ux - 0.45 * uy), whole(y1 - uy + 0.45 * ux)], right = [whole(x1 - ux + 0.45 * uy), whole(y1 - uy - 0.45 * ux)];
    return path(n) + path([...left, x1, y1, ...right]);
  },
};

function letters(runs) {
  let shift = 0;
  return runs.map(([text, look]) => {
    const to = SHIFT[look.at(-1)] ?? 0, dy = to - shift;
    shift = to;
    if (!look && !dy) return escape(text);
    return `<tspan${look ? ` class="${[...look].join(" ")}"` : ""}${dy ? ` dy="${dy}"` : ""}>${escape(text)}</tspan>`;
  }).join("");
}

/** The cells of a heat map, one path a strength. */
function cells([x0, y0, x1, y1, ...values], { columns, fill, other }) {
  const rows = values.length / columns, levels = new Map();
  const across = c => tenth(x0 + ((x1 - x0) * c) / columns), down = r => tenth(y0 + ((y1 - y0) * r) / rows);
  values.forEach((value, i) => {
    const c = i % columns, r = (i - c) / columns, level = whole(value / 10);
    levels.set(level, (levels.get(level) ?? "") + `M${across(c)} ${down(r)}H${across(c + 1)}V${down(r + 1)}H${across(c)}z`);
  });
  return [...levels.keys()].filter(Boolean).sort((a, b) => a - b)
    .map(level => `<path d="${levels.get(level)}" fill="${COLOURS[level > 0 ? fill : other]}" opacity="${Math.abs(level) / 20}"/>`).join("");
}

/** Tag, attributes and content of one mark. */
function drawn({ p, k, t, l, s, n }, uid) {
  const a = {};
  let inner = "";
  if (t === "text") {
    Object.assign(a, { x: tenth(n[0]), y: tenth(n[1]), fill: COLOURS[s.fill], "text-anchor": ANCHOR[s.ha], "font-size": s.size });
    if (s.halo) a.class = "halo";
    inner = letters(s.runs);
  } else if (t === "image") inner = cells(n, s);
  else {
    Object.assign(a, { d: PATHS[t](n, s), fill: COLOURS[s.fill] ?? "none", stroke: COLOURS[s.stroke] ?? "none" });
    if (s.width) a["stroke-width"] = s.width;
    if (s.dash) a["stroke-dasharray"] = s.dash;
    if (s.opacity !== undefined) a.opacity = s.opacity;
    if (!s.axis) a["clip-path"] = `url(#${uid}-${p}-${t === "dot" ? "near" : "box"})`;
  }
  if (!s.axis) a["data-l"] = l || k;
  return [{ text: "text", image: "g" }[t] ?? "path", a, inner];
}

/** A told number, whole * 10^power, without needless zeros. */
function told([number, power]) {
  const size = String(Math.abs(number)).length - 1, bare = text => text.replace(/\.?0+$/, "");
  let text = power < 0 ? bare((number / 10 ** -power).toFixed(-power)) : String(number * 10 ** power);
  if (number && !(size + power > -4 && size + power < 7)) text = `${bare((number / 10 ** size).toFixed(2))}e${size + power}`;
  return text.replaceAll("-", "\u2212");
}

/** A panel in words made from its marks. */
export function description(frame, p) {
  const { name, x, y } = frame.panels[p], said = new Map();
  for (const mark of frame.marks) {
    if (mark.p !== p || mark.s.axis || mark.t === "text") continue;
    const tells = (mark.told ?? []).map(([what, ...value]) => `${what} ${told(value)}`).join(", ");
    if (tells || !mark.l) said.set(mark.k, tells ? `${mark.k}: ${tells}` : mark.k);
  }
  return `${name}${x ? `, ${x} across` : ""}${y ? `, ${y} up` : ""}. ${[...said.values()].join("; ")}.`;
}

/** The rows of "show the numbers": what the marks of one link tell, side by side. */
export function numbers(frame) {
  const rows = new Map();
  for (const mark of frame.marks) {
    if (!mark.told) continue;
    const key = mark.l || mark.k, row = rows.get(key) ?? {};
    for (const [what, ...value] of mark.told) row[what] = told(value);
    rows.set(key, row);
  }
  return rows;
}

const clips = ({ box: [l, t, r, b] }, p, uid) =>
  [["box", 0], ["near", 12]].map(([name, more]) => `<clipPath id="${uid}-${p}-${name}"><rect x="${l - more}" y="${t - more}" width="${r - l + 2 * more}" height="${b - t + 2 * more}"/></clipPath>`).join("");

/** One panel as text, for tests in node. */
export function toSVG(frame, p, uid) {
  const { w, h } = frame.panels[p];
  const body = frame.marks.filter(mark => mark.p === p).map(mark => {
    const [tag, a, inner] = drawn(mark, uid);
    return `<${tag}${Object.entries(a).map(([name, value]) => ` ${name}="${escape(value)}"`).join("")}>${inner}</${tag}>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" role="img" aria-label="${escape(description(frame, p))}" fill="currentColor">${clips(frame.panels[p], p, uid)}${body.join("")}</svg>`;
}

/** New content, made apart and exchanged piece by piece: after an exchange as a whole a browser styles the figure anew. */
function refill(element, inner) {
  const apart = element.cloneNode(false);
  apart.innerHTML = inner;
  while (element.firstChild) element.firstChild.remove();
  element.append(...apart.childNodes);
}

/** A panel in the page; a new frame changes only the attributes that differ. */
class PanelView {
  have = new Map(); // by key: element, attributes, content, and the mark they are of

  constructor(svg, p, uid) {
    Object.assign(this, { svg, p, uid });
  }

  draw(frame) {
    if (!this.have.size) this.svg.innerHTML = clips(frame.panels[this.p], this.p, this.uid); // the still picture gives way
    const marks = frame.marks.filter(mark => mark.p === this.p);
    this.drop(marks); // first, or all that stand behind would be moved to the front of what is to go
    let before = this.svg.querySelectorAll("clipPath")[1];
    for (const mark of marks) {
      const { element } = this.put(mark);
      if (before.nextSibling !== element) before.after(element);
      before = element;
    }
  }

  /** Elements of marks that are no longer there go. */
  drop(marks) {
    const there = new Set(marks.map(mark => mark.k));
    for (const [key, { element }] of this.have) {
      if (there.has(key)) continue;
      element.remove();
      this.have.delete(key);
    }
  }

  /** The element of a mark, made or patched. */
  put(mark) {
    let kept = this.have.get(mark.k);
    if (kept?.mark === mark) return kept;
    if (kept && kept.mark.s === mark.s && kept.mark.n.length === mark.n.length && mark.n.every((v, i) => v === kept.mark.n[i])) return kept;
    const [tag, a, inner] = drawn(mark, this.uid);
    if (!kept || kept.element.tagName !== tag) {
      kept?.element.remove();
      kept = { element: document.createElementNS("http://www.w3.org/2000/svg", tag), a: {}, inner: "" };
      this.have.set(mark.k, kept);
    }
    for (const name in a) if (kept.a[name] !== a[name]) kept.element.setAttribute(name, a[name]);
    for (const name in kept.a) if (!(name in a)) kept.element.removeAttribute(name);
    if (kept.inner !== inner) refill(kept.element, inner);
    return Object.assign(kept, { a, inner, mark });
  }
}

// ---- the figure -----------------------------------------------------------------------------------

/** Brings the figure to life over `source`; returns what its element then calls its view. */
export function mount(element, spec, source) {
  const view = (element.view = new Figure(element, spec, source));
  const controls = spec.parameters.flatMap(parameter => bind(view, parameter));
  const handles = spec.handles.map(handle => new Handle(view, handle));
  view.followers.push(...controls, ...handles, new Numbers(view));
  light(element);
  element.querySelectorAll(":disabled").forEach(control => (control.disabled = false));
  element.querySelector(".explorable-reset").addEventListener("click", () => view.move(view.start));
  const prompts = element.nextElementSibling?.matches(".explorable-prompts") ? element.nextElementSibling : null;
  for (const button of prompts?.querySelectorAll(".explorable-jump") ?? [])
    button.addEventListener("click", () => view.show(JSON.parse(button.dataset.at)));
  view.follow();
  return view;
}

/** What a figure shows: positions of its parameters, the newest frame, notes. */
class Figure {
  followers = [];
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
    return parameter.kind !== "slider" || (rest && !this.source.continuous) ? whole(inside) : inside;
  }

  /** Moves parameters to new positions and shows their frame; not at `rest` while the hand still moves. */
  async move(changes, rest = true) {
    for (const [name, position] of Object.entries(changes)) this.at[name] = this.allowed(this.parameter(name), position, rest);
    const number = ++this.asked, frame = this.source.ready(this.at, rest);
    if (rest) this.remember();
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

  /** The hand has let go: the figure rests on computed positions. */
  settle(...names) {
    return this.move(Object.fromEntries(names.map(name => [name, this.at[name]])));
  }

  /** Moves to named values; those that no control has are left out. */
  show(values) {
    const positions = Object.entries(values).map(([name, value]) => [name, this.parameter(name) && positionNamed(this.parameter(name), value)]);
    return this.move({ ...this.start, ...Object.fromEntries(positions.filter(([, position]) => position !== undefined)) });
  }

  draw(number, frame) {
    if (number < this.drawn) return;
    this.drawn = number;
    this.note("");
    if (frame.error) return this.fail(frame.error);
    this.recover();
    this.frame = frame;
    for (const view of this.views) view.draw(frame);
    say(this.output, signed(frame.text));
    if (frame.places) this.places = frame.places;
    this.follow();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.views.forEach((view, p) => view.svg.setAttribute("aria-label", description(frame, p))), REST);
  }

  /** Controls, handles and numbers where the figure is. */
  follow() {
    this.followers.forEach(follower => follower.follow());
  }

  fail(error) {
    this.recover();
    const report = document.createElement("pre");
    report.className = "explorable-error";
    report.role = "alert";
    report.textContent = error;
    this.stage.append(report);
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

  /** The state in the address, where the page is this book's: what can be linked. */
  remember() {
    if (!this.source.addressed) return;
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => history.replaceState(history.state, "", `#${this.address}`), REST);
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

/** The table of what the marks tell, made when it is open; its rows can be reached by keyboard. */
class Numbers {
  constructor(view) {
    this.view = view;
    this.details = view.element.querySelector(".explorable-numbers");
    this.details.addEventListener("toggle", () => this.write());
  }

  follow() {
    clearTimeout(this.timer);
    if (this.details.open) this.timer = setTimeout(() => this.write(), REST);
  }

  async write() {
    if (!this.details.open) return;
    const frame = this.view.frame ?? (await this.view.source.get({ ...this.view.at }));
    if (!frame?.marks) return;
    const rows = numbers(frame), heads = [...new Set([...rows.values()].flatMap(Object.keys))];
    const head = heads.map(what => `<th scope="col">${escape(what)}</th>`).join("");
    const body = [...rows].map(([key, row]) => `<tr tabindex="0" data-l="${escape(key)}"><th scope="row">${escape(key)}</th>${heads.map(what => `<td>${row[what] ?? ""}</td>`).join("")}</tr>`);
    const held = this.details.contains(document.activeElement) && document.activeElement.dataset.l;
    this.details.lastElementChild.innerHTML = `<table><thead><tr><td></td>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
    if (held) this.details.querySelector(`tr[data-l="${CSS.escape(held)}"]`)?.focus();
  }

  stop() {
    clearTimeout(this.timer);
  }
}

/** Marks, their linked marks and their rows light up together. */
export function point(figure, key) {
  const lit = key ? figure.querySelectorAll(`[data-l="${CSS.escape(key)}"]`) : [];
  figure.querySelectorAll(".lit").forEach(element => element.classList.remove("lit"));
  lit.forEach(element => element.classList.add("lit"));
  figure.classList.toggle("lighting", lit.length > 0);
}

/** What the pointer is on lights up; where it is on nothing, the focused row does. */
function light(figure) {
  const key = element => element?.closest("[data-l]")?.dataset.l;
  const held = () => key(figure.querySelector("[data-l]:focus"));
  figure.addEventListener("pointerover", event => point(figure, key(event.target) ?? held()));
  figure.addEventListener("pointerleave", () => point(figure, held()));
  figure.addEventListener("focusin", event => point(figure, key(event.target)));
  figure.addEventListener("focusout", () => point(figure));
}

// ---- controls -------------------------------------------------------------------------------------

/** The controls of one parameter: what each does when moved, and how it follows the figure. */
function bind(view, parameter) {
  const { name } = parameter;
  return [...view.element.querySelectorAll(`[name="${CSS.escape(name)}"]`)].map(element => {
    if (element.type === "range") return new Scale(view, parameter, element);
    if (element.type === "button") return new Player(view, parameter, element);
    const field = element.type === "checkbox" ? "checked" : "value";
    element.addEventListener("input", () => view.move({ ...parameter.brings?.[element[field]], [name]: Number(element[field]) }));
    return { follow: () => (element[field] = field === "checked" ? Boolean(view.at[name]) : view.at[name]) };
  });
}

/** A slider: it flows under the pointer and goes by steps under the keys. */
class Scale {
  constructor(view, parameter, input) {
    Object.assign(this, { view, parameter, input, name: parameter.name, last: parameter.values.length - 1 });
    this.label = input.parentElement.querySelector(".explorable-value");
    input.addEventListener("input", () => view.move({ [this.name]: Number(input.value) }, false));
    input.addEventListener("change", () => view.settle(this.name));
    input.addEventListener("keydown", event => this.key(event));
  }

  key(event) {
    const page = Math.max(1, whole(this.last / 10));
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -page, PageUp: page, Home: -Infinity, End: Infinity }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = this.view.at[this.name], from = step > 0 ? Math.floor(at + 1e-9) : Math.ceil(at - 1e-9);
    this.view.move({ [this.name]: from + step });
  }

  follow() {
    const position = this.view.at[this.name], text = shown(this.view.value(this.name));
    if (Number(this.input.value) !== position) this.input.value = position;
    if (this.label.textContent === text) return;
    say(this.label, text);
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

/** A point on a panel that the reader drags, or moves by arrow keys, Home, End and the page keys. */
class Handle {
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
    const text = `${shown(this.view.value(x))}, ${shown(this.view.value(y))}`;
    if (this.knob.getAttribute("aria-valuetext") === text) return;
    this.knob.setAttribute("aria-valuetext", text);
    this.knob.setAttribute("aria-valuenow", whole(this.view.at[this.handle[this.axes[0]]]));
  }
}

// ---- the page -------------------------------------------------------------------------------------

/** The figures of a built page; each fetches its table and gets its menus when it comes near. */
function mountPage() {
  const near = new IntersectionObserver(
    entries => entries.filter(entry => entry.isIntersecting).forEach(({ target }) => {
      near.unobserve(target);
      target.menus?.bringBack();
      target.source.load().catch(() => {}); // told when the reader moves something
    }),
    { rootMargin: FAR_AHEAD },
  );
  for (const figure of document.querySelectorAll('figure.explorable[data-source="baked"]')) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    figure.source = new BakedSource(spec, new URL(figure.dataset.frames, document.baseURI));
    mount(figure, spec, figure.source);
    if (figure.closest("section section")) figure.menus = setAside(figure.querySelectorAll("select"));
    near.observe(figure);
  }
  addEventListener("hashchange", goToAddress);
  goToAddress();
  pointFromWords();
}

/** Menus of the sections below the first, out of the page for now: a browser that looks for forms to fill in
    lays out all that is around a menu, however far away. */
function setAside(menus) {
  const gaps = [...menus].map(menu => [menu, document.createComment("menu")]);
  for (const [menu, gap] of gaps) menu.replaceWith(gap);
  return { bringBack: () => gaps.forEach(([menu, gap]) => gap.replaceWith(menu)) };
}

/** A state that the address names, #ex-name?parameter=value&..., is shown. */
function goToAddress() {
  const [id, state] = location.hash.slice(1).split("?"), figure = state && document.getElementById(decodeURIComponent(id));
  if (!figure?.view) return;
  figure.scrollIntoView({ block: "center" });
  figure.view.show(Object.fromEntries(new URLSearchParams(state)));
}

/** Links to a figure whose title names a mark: they light it while the reader is on them. */
function pointFromWords() {
  for (const word of document.querySelectorAll('a[href^="#ex-"][title]')) {
    const figure = document.getElementById(word.hash.slice(1)), mark = word.title;
    if (!figure) continue;
    word.removeAttribute("title"); // no tooltip over what lights up
    word.classList.add("points-at");
    for (const on of ["pointerenter", "focus"]) word.addEventListener(on, () => point(figure, mark));
    for (const off of ["pointerleave", "blur"]) word.addEventListener(off, () => point(figure));
  }
}
if (globalThis.document) mountPage();

/** What a live kernel's anywidget calls. */
export default {
  render({ model, el }) {
    el.innerHTML = model.get("markup");
    const element = el.querySelector("figure"), spec = model.get("spec");
    element.dataset.lmSuppressShortcuts = "true"; // keys that move a control are not JupyterLab's commands
    const view = mount(element, spec, new KernelSource(spec, model));
    return () => view.end();
  },
};
