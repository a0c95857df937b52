// An exercise in the page: a field for the answer, what the check says of it, and what is kept of it.

import { button, download, make } from "./dom.js";
import { DrivenFigure } from "./driven.js";
import { editor, replaceAll } from "./editor.js";
import { chapterData } from "./files.js";
import { keepAnswer, keepSolved, keptAnswer } from "./kept.js";
import { showProgress } from "./progress.js";
import { python } from "./python.js";
import { Report } from "./report.js";

/** Opens the exercise whose button was pressed, in its place. */
export async function openExercise(pressed) {
  const place = pressed.closest("[data-exercise]");
  try {
    const { exercises, cells, driven } = await chapterData(), label = place.dataset.exercise;
    const opened = new Exercise(place, label, exercises[label]);
    if (driven[label]) opened.figure = new DrivenFigure(driven[label], cells, () => opened.answer);
    opened.show(pressed);
    python.start().catch(() => {}); // while the reader writes; a failure is said at the first check
  } catch (reason) {
    pressed.disabled = false;
    pressed.after(make("p", { role: "alert" }, `The exercise could not be opened: ${reason.message}. Press again when there is a connection.`));
  }
}

/** A notebook of code cells, as a file for Jupyter. */
const notebook = sources => ({
  cells: sources.map((source, number) => ({ cell_type: "code", execution_count: null, id: `cell-${number}`, metadata: {}, outputs: [], source })),
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});

class Exercise {
  constructor(place, label, { start, setup, functions, check }) {
    Object.assign(this, { place, label, start, setup, functions, check });
    this.report = new Report();
    this.area = editor(`Your answer to ${this.title}`, keptAnswer(label) ?? start, () => this.run(), text => keepAnswer(label, text));
    this.checking = button("Check", () => this.run(), { className: "first" });
    this.stop = button("Stop", () => python.stop("Stopped."), { hidden: true });
  }

  get title() {
    return document.getElementById(this.label)?.querySelector(".admonition-title")?.textContent.replace(/\s+/g, " ").trim() ?? this.label;
  }

  show(pressed) {
    const tools = make("div", { className: "tools" }, this.checking, this.stop,
      button("Reset", () => this.reset()), button("Download", () => this.download()), ...(this.figure ? [this.figure.opening] : []), this.report.bar);
    this.place.classList.add("is-open");
    pressed.replaceWith(this.area, tools, ...this.report.elements);
    this.area.focus();
  }

  /** What Python is told of the answer, for whatever it does with it. */
  get answer() {
    return { setup: this.setup, code: this.area.value, functions: this.functions };
  }

  async run() {
    if (this.checking.disabled) return;
    this.running(true);
    this.report.begin(python.isReady ? "Checking …" : "Python is on its way …");
    try {
      const told = await python.ask("check", { ...this.answer, check: this.check }, this.report);
      this.report.tell(told);
      if (told.verdict === "right") keepSolved(this.label), showProgress().catch(() => {});
    } catch (reason) {
      this.report.tell({ verdict: "error", text: reason.message });
    } finally {
      this.running(false);
    }
    if (this.figure?.isOpen) this.figure.draw(); // it follows what was checked
  }

  running(is) {
    this.checking.disabled = is;
    this.stop.hidden = !is;
  }

  reset() {
    replaceAll(this.area, this.start);
    keepAnswer(this.label, null);
    this.report.begin("");
  }

  download() {
    const cells = [this.setup, this.area.value, this.check];
    download(`${this.label}.ipynb`, notebook(cells), "application/x-ipynb+json");
  }
}
