// How many exercises of the book are solved in this browser: said in the contents, exported as a file.

import { all, solved } from "./kept.js";
import { index } from "./files.js";
import { button, download, make } from "./dom.js";

const place = () => document.querySelector("#book-panel .solved");

/** Says in the contents how many are solved, and on the page which. */
export async function showProgress() {
  const labels = solved();
  if (!labels.length) return;
  const { exercises } = await index();
  if (!place()) document.querySelector("#book-panel nav").after(line());
  place().firstChild.textContent = `${labels.length} of ${exercises} exercises solved`;
  for (const label of labels) document.querySelector(`[data-exercise="${CSS.escape(label)}"]`)?.classList.add("is-solved");
}

function line() {
  const title = "Your answers, from this browser, as a file";
  return make("p", { className: "solved" }, make("span"), button("Export", () => download("answers.json", all()), { title }));
}
