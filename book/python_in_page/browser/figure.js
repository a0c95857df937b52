// A figure whose frames come from Python: at any position of its controls, by the code of the page or the reader's.

import { cleaned } from "./clean.js";
import { LIMIT, request, textOf } from "./code.js";
import { make } from "./dom.js";
import { chapterData } from "./files.js";
import { python } from "./python.js";
import { Report } from "./report.js";

/** The script of figures that the page has loaded: the same address, or it would be loaded a second time. */
const engine = () => import(document.querySelector('script[src*="explorable.js"]').src);

/** Lets the figure beside the pressed button go to any position. */
export async function openFigure(pressed) {
  const place = pressed.closest("[data-figure]");
  try {
    await drawFigure(place);
  } catch (reason) {
    pressed.disabled = false;
    place.report.tell({ verdict: "error", text: reason.message });
  }
}

/** Draws the figure of that place by Python, with the cells as the reader last ran them. */
export async function drawFigure(place) {
  const number = Number(place.dataset.cell), report = (place.report ??= new Report());
  place.append(report.bar, report.verdict);
  const { cells } = await chapterData();
  const make = () => python.ask("run", request(cells, number, textOf(cells, number)), report, LIMIT);
  const told = await make();
  const figure = told.figures.find(({ name }) => `ex-${name}` === place.dataset.figure);
  report.tell({ verdict: "", text: told.text || "The figure is drawn by Python now: every position can be reached." });
  if (!figure) return linkNotebook(report, told.text);
  await show(figure, make);
  place.querySelector("button")?.remove();
}

/** Puts a figure that Python has made in the place of the page's figure of that name; `make` makes it again. */
export async function show({ name, spec, markup }, make) {
  const old = document.getElementById(`ex-${name}`), parts = cleaned(markup), fresh = parts.find(isFigure);
  if (!old || !fresh) return;
  const prompts = old.nextElementSibling?.matches(".explorable-prompts") ? old.nextElementSibling : null;
  keepCaption(old, fresh);
  prompts?.remove();
  old.view?.end();
  old.replaceWith(...parts);
  await start(fresh, { name, spec }, make);
  fresh.dispatchEvent(new CustomEvent("explorable-replaced", { bubbles: true, detail: { prompts } }));
}

export const isFigure = part => part.matches?.("figure.explorable");

/** Lets a figure that stands in the page be moved: each of its frames is asked of Python. */
export async function start(element, { name, spec }, make) {
  const { mount, KernelSource } = await engine();
  return mount(element, spec, new KernelSource(spec, model(name, make)));
}

/** The page's caption stays: it has a number and formulas. */
function keepCaption(old, fresh) {
  const own = old.querySelector("figcaption");
  if (own) fresh.querySelector("figcaption")?.replaceWith(own.cloneNode(true));
  fresh.setAttribute("aria-labelledby", old.getAttribute("aria-labelledby") ?? "");
}

/** What a figure takes for the model of a notebook's widget: messages go to Python, answers come back. */
function model(name, make) {
  const hearing = new Set();
  return {
    on: (_, hear) => hearing.add(hear),
    off: (_, hear) => hearing.delete(hear),
    send({ id, values }) {
      const tell = answer => hearing.forEach(hear => hear({ id, ...answer }));
      frame(name, values, make).then(tell, reason => tell({ error: reason.message }));
    },
  };
}

/** A frame of a figure; if Python has been started anew since the figure was made, it is made again first. */
async function frame(name, values, make) {
  const asked = { name, values }, answer = await python.ask("frame", asked);
  if (!answer.absent) return answer;
  const { text } = await make(), again = await python.ask("frame", asked);
  return again.absent ? { error: text || "The figure is gone; run its code again." } : again;
}

/** Leads to the notebook where a page has not got what the code needs. */
export function linkNotebook(report, text) {
  const own = document.querySelector(".run-it a[download]");
  if (own && /is not in the page/.test(text)) report.verdict.append(" ", make("a", { href: own.href, download: "" }, "Download the notebook"));
}
