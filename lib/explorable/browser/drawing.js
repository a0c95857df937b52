// The drawing of a figure as it is now, as files: an SVG that stands alone, and a PNG made of it, both in light colours.

import { escape } from "./text.js";

const INK = "#000000", PAPER = "#ffffff";
const EDGE = 8; // pixels around the panels, for letters that leave them
const SCALE = 2; // pixels of the PNG for one of the SVG
const STYLE = `svg{stroke-linecap:butt;stroke-linejoin:round}text{font-family:sans-serif}.m{font-family:"STIX Two Text",STIXGeneral,serif}.i{font-style:italic}.b,.p{font-size:.75em}.halo{paint-order:stroke;stroke:${PAPER};stroke-width:3px}`;

/** The panels as one SVG with a transparent ground, each row in the middle. */
export function svgOf(figure) {
  const rows = rowsOf([...figure.querySelectorAll(":is(.explorable-panel, .figure-stage) > svg")].map(svg => [svg, svg.viewBox.baseVal]));
  const widths = rows.map(row => row.reduce((sum, [, { width }]) => sum + width, 0)), width = Math.max(...widths);
  let y = EDGE, inside = "";
  rows.forEach((row, number) => {
    let x = EDGE + (width - widths[number]) / 2;
    for (const [svg, size] of row) {
      inside += placed(svg, x, y, size);
      x += size.width;
    }
    y += tallest(row);
  });
  const [w, h] = [width + 2 * EDGE, y + EDGE], says = figure.querySelector("output")?.textContent ?? "";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}"><title>${escape(says)}</title><style>${STYLE}</style>${literal(inside)}</svg>`;
}

const tallest = panels => Math.max(...panels.map(([, { height }]) => height));

/** The rows of a drawing: up to three panels side by side, or two where there are more; low ones, a key for example, below. */
function rowsOf(panels) {
  const isLow = ([, { height }]) => height < tallest(panels) / 2, rows = [];
  for (const group of [panels.filter(panel => !isLow(panel)), panels.filter(isLow)])
    while (group.length) rows.push(group.splice(0, group.length > 3 ? 2 : 3));
  return rows;
}

/** A panel at its place, without what is not shown. */
function placed(svg, x, y, { width, height }) {
  const copy = svg.cloneNode(true);
  for (const hidden of copy.querySelectorAll("[data-aside]:not(.on)")) hidden.remove();
  for (const [name, value] of Object.entries({ x, y, width, height, overflow: "visible" })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

/** Markup in the page's light colours, on white: in the place of each variable what it is there, read off an element. */
function literal(markup) {
  const probe = document.createElement("span");
  probe.style.colorScheme = "light";
  probe.style.setProperty("--m-paper", PAPER);
  document.body.append(probe);
  const light = variable => {
    probe.style.color = variable;
    return getComputedStyle(probe).color;
  };
  const text = markup.replace(/var\(--[\w-]+, [^()]+\)/g, light).replaceAll("currentColor", INK);
  probe.remove();
  return text;
}

/** The same on white, as a promise of a file. */
export const pngOf = async figure => {
  const image = new Image(), canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(figure))}`;
  await image.decode();
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(done => canvas.toBlob(done));
};
