// What a press of a button of Python in the page does. Nothing of this is fetched before.

import { openCell } from "./cell.js";
import { openExercise } from "./exercise.js";
import { openFigure } from "./figure.js";
import { address } from "./files.js";
export { showProgress } from "./progress.js";

const openers = { exercise: openExercise, cell: openCell, figure: openFigure };
const OFFLINE = new URL("../../../offline.js", import.meta.url); // at the top of the site: a worker answers for what lies below it
let styled = false;

/** Opens what a button stands for: an exercise, a cell, a figure. */
export function open(button) {
  if (button.disabled) return;
  button.disabled = true;
  addStyle();
  navigator.serviceWorker?.register(OFFLINE).catch(() => {}); // a private window has none
  openers[button.dataset.python](button);
}

function addStyle() {
  if (styled) return;
  styled = true;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address("style.css", import.meta.url);
  document.head.append(link);
}
