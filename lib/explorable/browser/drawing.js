// The drawing of a figure as it is now, as files: an SVG that stands alone, and a PNG made of it, both in light colours.

import { escape } from "./text.js";

const INK = "#000000", PAPER = "#ffffff";
const EDGE = 8; // pixels around the panels, for letters that leave them
const SCALE = 2; // pixels of the PNG for one of the SVG
const STYLE = `svg{stroke-linecap:butt;stroke-linejoin:round}text{font-family:sans-serif}.m{font-family:"STIX Two Text",STIXGeneral,serif}.i{font-style:italic}.b,.p{font-size:.75em}.halo{paint-order:stroke;stroke:${PAPER};stroke-width:3px}`;

/** The panels as one SVG with a transparent ground, up to three side by side, or two where there are more. */
export function svgOf(figure) {
  const drawings = [...figure.querySelectorAll(":is(.explorable-panel, .figure-stage) > svg")], across = drawings.length > 3 ? 2 : 3;
  let width = 0, height = 0, inside = "";
  for (let first = 0; first < drawings.length; first += across) {
    const row = drawings.slice(first, first + across), sizes = row.map(svg => svg.viewBox.baseVal);
    let left = 0;
    row.forEach((svg, k) => {
      inside += placed(svg, EDGE + left, EDGE + height, sizes[k]);
      left += sizes[k].width;
    });
    width = Math.max(width, left);
    height += Math.max(...sizes.map(size => size.height));
  }
  const [w, h] = [width + 2 * EDGE, height + 2 * EDGE], says = figure.querySelector("output")?.textContent ?? "";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}"><title>${escape(says)}</title><style>${STYLE}</style>${literal(inside)}</svg>`;
}

/** A panel at its place, without what is not shown. */
function placed(svg, x, y, { width, height }) {
  const copy = svg.cloneNode(true);
  for (const hidden of copy.querySelectorAll("[data-aside]:not(.on)")) hidden.remove();
  for (const [name, value] of Object.entries({ x, y, width, height, overflow: "visible" })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

/** Markup with the light theme's colours in the place of the page's: each variable names its own. */
const literal = markup => markup.replace(/var\(--[\w-]+, ([^()]+)\)/g, "$1").replaceAll("currentColor", INK);

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
