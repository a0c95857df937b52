// Marks as SVG elements, the same characters as picture.py writes. A mark has its panel `p`, key `k`, type `t`,
// link `l`, aside `a`, style `s`, numbers `n` in tenths of a pixel, and reported values `told`.

import { escape } from "./text.js";
import { round } from "./positions.js";

const COLOURS = {
  ink: "currentColor", paper: "var(--m-paper, #ffffff)", muted: "var(--muted, #767676)", c0: "var(--m-c0, #0072b2)",
  c1: "var(--m-c1, #d55e00)", c2: "var(--m-c2, #009e73)", c3: "var(--m-c3, #cc79a7)", c4: "var(--m-c4, #e69f00)", c5: "var(--m-c5, #56b4e9)",
};
const ANCHORS = { left: "start", center: "middle", right: "end" };
const SHIFTS = { b: 3, p: -5 }; // pixels downwards
const ARROW_HEAD = 90; // tenths of a pixel
/** Tenths of a pixel as pixels. */
const pixels = n => String(round(n) / 10 + 0);
const path = n => { let d = ""; for (let i = 0; i < n.length; i += 2) d += `${i ? "L" : "M"}${pixels(n[i])} ${pixels(n[i + 1])}`; return d; };

const MARKERS = {
  o: (x, y, r) => [x - r, y, `a${pixels(r)} ${pixels(r)} 0 1 0 ${pixels(2 * r)} 0a${pixels(r)} ${pixels(r)} 0 1 0 ${pixels(-2 * r)} 0z`],
  s: (x, y, r) => [x - r, y - r, `h${pixels(2 * r)}v${pixels(2 * r)}h${pixels(-2 * r)}z`],
  "^": (x, y, r) => [x, y - r, `l${pixels(r)} ${pixels(2 * r)}h${pixels(-2 * r)}z`],
  v: (x, y, r) => [x, y + r, `l${pixels(-r)} ${pixels(-2 * r)}h${pixels(2 * r)}z`],
  D: (x, y, r) => [x - r, y, `l${pixels(r)} ${pixels(-r)}l${pixels(r)} ${pixels(r)}l${pixels(-r)} ${pixels(r)}z`],
  P: (x, y, r, t = round(r / 3)) => [x - t, y - r,
    `h${pixels(2 * t)}v${pixels(r - t)}h${pixels(r - t)}v${pixels(2 * t)}h${pixels(t - r)}v${pixels(r - t)}` +
    `h${pixels(-2 * t)}v${pixels(t - r)}h${pixels(t - r)}v${pixels(-2 * t)}h${pixels(r - t)}z`],
  x: (x, y, r) => [x - r, y - r, `l${pixels(2 * r)} ${pixels(2 * r)}m0 ${pixels(-2 * r)}l${pixels(-2 * r)} ${pixels(2 * r)}`],
  "+": (x, y, r) => [x - r, y, `h${pixels(2 * r)}m${pixels(-r)} ${pixels(-r)}v${pixels(2 * r)}`],
  "|": (x, y, r) => [x, y - r, `v${pixels(2 * r)}`],
};
const PATHS = {
  line: path,
  area: n => `${path(n)}z`,
  bar: n => `M${pixels(n[0])} ${pixels(n[1])}H${pixels(n[2])}V${pixels(n[3])}H${pixels(n[0])}z`,
  dot: (n, { marker }) => { const [x, y, d] = MARKERS[marker](...n.map(round)); return `M${pixels(x)} ${pixels(y)}${d}`; },
  arrow(n) {
    const [x0, y0, x1, y1] = n, length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2);
    if (!length) return path(n);
    const size = Math.min(ARROW_HEAD, length), ux = (size * (x1 - x0)) / length, uy = (size * (y1 - y0)) / length;
    const left = [round(x1 - ux - 0.45 * uy), round(y1 - uy + 0.45 * ux)], right = [round(x1 - ux + 0.45 * uy), round(y1 - uy - 0.45 * ux)];
    return path(n) + path([...left, x1, y1, ...right]);
  },
};

/** The runs of a text as elements. */
function spans(runs) {
  let shift = 0;
  return runs.map(([text, style]) => {
    const to = SHIFTS[style.at(-1)] ?? 0, dy = to - shift;
    shift = to;
    if (!style && !dy) return escape(text);
    return `<tspan${style ? ` class="${[...style].join(" ")}"` : ""}${dy ? ` dy="${dy}"` : ""}>${escape(text)}</tspan>`;
  }).join("");
}

/** The cells of a heat map, one path for each strength. */
function heatMapCells([x0, y0, x1, y1, ...values], { columns, fill, other }) {
  const rows = values.length / columns, levels = new Map();
  const across = c => pixels(x0 + ((x1 - x0) * c) / columns), down = r => pixels(y0 + ((y1 - y0) * r) / rows);
  values.forEach((value, i) => {
    const c = i % columns, r = (i - c) / columns, level = round(value / 10);
    levels.set(level, (levels.get(level) ?? "") + `M${across(c)} ${down(r)}H${across(c + 1)}V${down(r + 1)}H${across(c)}z`);
  });
  return [...levels.keys()].filter(Boolean).sort((a, b) => a - b)
    .map(level => `<path d="${levels.get(level)}" fill="${COLOURS[level > 0 ? fill : other]}" opacity="${Math.abs(level) / 20}"/>`).join("");
}

/** Tag, attributes and content of one mark. */
export function elementOf({ p, k, t, l, s, n, a: aside }, uid) {
  const a = {};
  let inner = "";
  if (t === "text") {
    Object.assign(a, { x: pixels(n[0]), y: pixels(n[1]), fill: COLOURS[s.fill], "text-anchor": ANCHORS[s.ha], "font-size": s.size });
    if (s.halo) a.class = "halo";
    inner = spans(s.runs);
  } else if (t === "image") inner = heatMapCells(n, s);
  else {
    Object.assign(a, { d: PATHS[t](n, s), fill: COLOURS[s.fill] ?? "none", stroke: COLOURS[s.stroke] ?? "none" });
    if (s.width) a["stroke-width"] = s.width;
    if (s.dash) a["stroke-dasharray"] = s.dash;
    if (s.opacity !== undefined) a.opacity = s.opacity;
    if (!s.axis) a["clip-path"] = `url(#${uid}-${p}-${t === "dot" ? "near" : "box"})`;
  }
  if (!s.axis) a["data-l"] = l || k;
  if (aside) a["data-aside"] = aside;
  return [{ text: "text", image: "g" }[t] ?? "path", a, inner];
}
