// A figure of the chapter that the reader's answer draws: below the exercise, until the reader puts it away.

import { cleaned } from "./clean.js";
import { LIMIT, textOf } from "./code.js";
import { button, make } from "./dom.js";
import { isFigure, start } from "./figure.js";
import { python } from "./python.js";
import { Report } from "./report.js";

export class DrivenFigure {
  /** `known` is what the chapter's data says of the figure; `answer()` is what Python is asked of the answer. */
  constructor(known, cells, answer) {
    Object.assign(this, { known, cells, answer, report: new Report() });
    this.stop = button("Stop", () => python.stop("Stopped."), { hidden: true });
    this.away = button("Put away", () => this.close());
    this.shell = make("div", { className: "in-page is-open driven" });
    this.opening = button("Draw with my code", () => this.draw().then(() => this.shell.scrollIntoView({ block: "nearest" })), { title: "Draws a figure of this chapter with your function" });
  }

  get isOpen() {
    return this.shell.isConnected;
  }

  /** Draws the figure with the answer as it stands, in the place of the one before. */
  async draw() {
    if (this.opening.disabled) return;
    this.opening.disabled = true;
    this.opening.closest("[data-exercise]").after(this.shell);
    this.shell.prepend(this.report.bar, this.report.verdict, this.report.detail, this.stop);
    this.stop.hidden = false;
    this.report.begin(python.isReady ? "Drawing …" : "Python is on its way …");
    const asked = { ...this.answer(), needs: this.known.needs.map(place => textOf(this.cells, place)), figure: this.known.code };
    const drawn = () => python.ask("draw", asked, this.report, LIMIT);
    try {
      await this.tell(await drawn(), drawn);
    } catch (reason) {
      this.report.tell({ verdict: "error", text: reason.message });
    } finally {
      this.opening.disabled = false;
      this.stop.hidden = true;
    }
  }

  async tell({ verdict, text, detail, figures }, drawn) {
    this.clear();
    this.shell.append(this.away);
    this.report.tell({ verdict: verdict === "ran" ? "" : verdict, text: text || this.known.look, detail });
    const figure = figures.find(({ name }) => name === this.known.name), fresh = figure && cleaned(figure.markup).find(isFigure);
    if (!fresh) return;
    fresh.querySelector("figcaption")?.replaceChildren(`${this.number}, drawn with your function.`);
    this.away.before(fresh);
    this.view = await start(fresh, figure, drawn);
  }

  /** The number of the page's own figure, with its word. */
  get number() {
    const number = document.querySelector(`#ex-${this.known.figure} .caption-number`);
    return number?.textContent.trim() ?? "A figure of this chapter";
  }

  clear() {
    this.view?.end();
    this.view = undefined;
    this.shell.querySelector("figure")?.remove();
  }

  close() {
    this.clear();
    this.shell.remove();
    this.opening.focus();
  }
}
