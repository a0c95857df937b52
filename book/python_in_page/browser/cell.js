// A cell of the page that the reader edits and runs, with a way back to what the page shows.

import { LIMIT, noteText, request, textOf } from "./code.js";
import { button, make } from "./dom.js";
import { editor, replaceAll } from "./editor.js";
import { drawFigure, linkNotebook, show } from "./figure.js";
import { chapterData } from "./files.js";
import { python } from "./python.js";
import { Report } from "./report.js";

/** Opens the cell whose button was pressed, in the place of its code. */
export async function openCell(pressed) {
  const place = pressed.closest("[data-cell]");
  try {
    const { cells } = await chapterData();
    new Cell(place, Number(place.dataset.cell), cells, pressed).show();
    python.start().catch(() => {}); // while the reader writes; a failure is said at the first run
  } catch (reason) {
    pressed.disabled = false;
    pressed.after(make("span", { role: "alert" }, ` The cell could not be opened: ${reason.message}.`));
  }
}

class Cell {
  constructor(place, number, cells, pressed) {
    Object.assign(this, { place, number, cells, pressed, cell: place.closest("div.cell") });
    this.code = place.previousElementSibling;
    this.outputs = [...this.cell.querySelectorAll(".cell_output > :not(figure.explorable, .explorable-prompts, .in-page)")];
    this.report = new Report();
    this.area = editor("Code of this cell", textOf(cells, number), () => this.run());
    this.running = button("Run", () => this.run(), { className: "first" });
    this.stop = button("Stop", () => python.stop("Stopped."), { hidden: true });
    this.tools = make("div", { className: "tools" }, this.running, this.stop,
      button("Reset", () => replaceAll(this.area, cells[number].source)), button("Back to the page", () => this.close()), this.report.bar);
  }

  show() {
    this.code.hidden = true;
    this.pressed.hidden = true;
    this.place.classList.add("is-open");
    this.place.append(this.area, this.tools, ...this.report.elements);
    this.area.focus();
  }

  /** The page's own code and output come back; a figure that follows the reader's code stays until the page is loaded anew. */
  close() {
    noteText(this.number);
    this.place.classList.remove("is-open");
    for (const part of [this.area, this.tools, ...this.report.elements]) part.remove();
    this.code.hidden = this.pressed.hidden = this.pressed.disabled = false;
    for (const output of this.outputs) output.hidden = false;
    this.pressed.focus();
  }

  async run() {
    if (this.running.disabled) return;
    this.running.disabled = true;
    this.stop.hidden = false;
    this.report.begin(python.isReady ? "Running …" : "Python is on its way …");
    try {
      const asked = request(this.cells, this.number, this.area.value), make = () => python.ask("run", asked, this.report, LIMIT);
      await this.tell(await make(), make);
    } catch (reason) {
      this.report.tell({ verdict: "error", text: reason.message });
    } finally {
      this.running.disabled = false;
      this.stop.hidden = true;
    }
  }

  async tell({ verdict, text, detail, figures }, make) {
    for (const output of this.outputs) output.hidden = true;
    this.report.tell({ verdict, text: text || "Your code ran; what it printed stands in the place of the page's output.", detail });
    if (verdict !== "ran") return linkNotebook(this.report, text);
    noteText(this.number, this.area.value);
    for (const figure of figures) await show(figure, make);
    if (this.area.value !== this.cells[this.number].source) this.offerFigures();
  }

  /** Figures that still show the page's data are named, with a button that draws them with the reader's. */
  offerFigures() {
    const places = [...document.querySelectorAll(".of-figure")].filter(({ dataset }) => this.cells[dataset.cell].needs.includes(this.number));
    const names = places.map(({ dataset }) => document.querySelector(`#${dataset.figure} .caption-number`).textContent.trim()).join(", ");
    const told = make("span", {}, ` The page's data are still in ${names}. `, button("Draw with yours", async ({ target }) => {
      target.disabled = true;
      try {
        for (const place of places) await drawFigure(place);
        told.textContent = ` Your data are in ${names}.`;
      } catch (reason) {
        told.textContent = ` ${reason.message}`;
      }
    }));
    if (names) this.report.verdict.append(told);
  }
}
