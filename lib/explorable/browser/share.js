// Share: a button at each figure of a built page. Its menu gives the link to what is shown now, the line that shows this in
// another page, and the drawing as SVG and PNG.

import { escape, make, makeButton } from "./text.js";
import { pngOf, svgOf } from "./drawing.js";

const WIDE = "45rem", NARROW = "21rem"; // columns for which the height of a frame is measured: on a desktop, on a phone
const BELOW = 92; // pixels of a frame for the line below the figure, and to spare
const TITLE = 80; // letters of a frame's title

/** Gives the figures of a page their button; all share one menu. */
export function bindShare() {
  const menu = new Menu();
  for (const figure of document.querySelectorAll('figure.explorable[data-source="baked"], figure.figure:has(> .figure-stage)')) {
    const button = make("button", { type: "button", textContent: "Share", ariaLabel: "Share this figure", popoverTargetElement: menu.element });
    button.addEventListener("click", () => menu.prepare(figure, button));
    const place = make("div", { className: "explorable-share" }, button), numbers = figure.querySelector(".explorable-numbers:not([hidden])");
    if (numbers) numbers.before(place);
    else figure.querySelector("figcaption").prepend(place);
  }
}

/** The address at which others find this page: of a page that is read from a disk the published one, if there is one. */
const published = () => (/^http/.test(location.protocol) ? location.href : document.querySelector("link[rel=canonical]")?.href);

/** The link to a figure with its state. */
const linkOf = figure => new URL(`#${figure.view?.address ?? figure.id}`, published().split(/[?#]/)[0]).href;

/** The figure's own page with this state; undefined if it has none. A copy of a figure shares the page of that, where all starts elsewhere. */
function aloneOf(figure) {
  if (figure.dataset.alone === undefined) return undefined;
  const address = new URL(figure.dataset.alone, published().split(/[?#]/)[0]), name = address.pathname.match(/([^/]*?)(\.html)?$/)[1];
  if (!figure.view || !figure.dataset.alone || figure.id === `ex-${name}`) address.hash = figure.view?.address ?? figure.id;
  else address.hash = `ex-${name}?${new URLSearchParams(Object.entries(figure.view.values))}`;
  return address.href;
}

/** The line of HTML that shows a figure in another page: light, as most are; a frame cannot see what is around it. */
function embedOf(figure) {
  const address = new URL(aloneOf(figure));
  address.search = "theme=light";
  const words = figure.querySelector("figcaption > [id], figcaption").textContent.trim().replace(/\s+/g, " ");
  const title = words.length > TITLE ? `${words.slice(0, TITLE).replace(/\s\S*$/, "")} …` : words;
  const height = heightOf(figure, WIDE), style = `border:0;height:max(${height}px,min((${WIDE} - 100vw)*999,${heightOf(figure, NARROW)}px))`;
  return `<iframe src="${escape(address.href)}" title="${escape(title)}" width="100%" height="${height}" style="${style}" loading="lazy" allow="clipboard-write"></iframe>`;
}

/** The height of a frame for a figure and its questions: that of a copy in a column, which is never painted. */
function heightOf(figure, width) {
  const prompts = figure.nextElementSibling?.matches(".explorable-prompts") ? [figure.nextElementSibling] : [];
  const column = make("div", { className: "explorable-measured alone" }, ...[figure, ...prompts].map(part => part.cloneNode(true)));
  column.style.width = width;
  for (const fold of column.querySelectorAll("details")) fold.open = false;
  column.querySelector(".explorable-follows")?.remove(); // the page alone has no text to follow
  document.body.append(column);
  const height = column.scrollHeight;
  column.remove();
  return height + BELOW;
}

/** The menu of the figure whose button was pressed last. */
class Menu {
  said = make("p", { role: "status" });
  byHand = make("input", { readOnly: true, ariaLabel: "To copy by hand" });
  alone = make("a", { textContent: "Open by itself", target: "_blank", rel: "noopener" });

  constructor() {
    this.link = makeButton("Copy the link", () => this.copy(linkOf(this.figure)));
    this.embed = makeButton("Copy the embed line", () => this.copy(embedOf(this.figure)));
    const svg = makeButton("Save as SVG", () => this.save(new Blob([svgOf(this.figure)], { type: "image/svg+xml" }), "svg"));
    const png = makeButton("Save as PNG", async () => this.save(await pngOf(this.figure), "png"));
    this.element = make("div", { className: "explorable-menu", popover: "auto" }, this.link, this.embed, svg, png, this.alone, this.said, this.byHand);
    this.element.addEventListener("toggle", event => event.newState === "open" && this.place());
    addEventListener("scroll", () => this.element.hidePopover(), { passive: true });
  }

  /** Before the button opens or shuts the menu: an open one stays with its figure. */
  prepare(figure, button) {
    if (this.element.matches(":popover-open")) return;
    Object.assign(this, { figure, button });
    button.after(this.element);
    const address = published() && aloneOf(figure);
    this.link.hidden = !published();
    this.embed.hidden = !address;
    this.alone.hidden = !address || !figure.dataset.alone || !/^http/.test(location.protocol);
    if (address) this.alone.href = address;
    this.tell();
  }

  /** Below the button, or above it where the window ends. */
  place() {
    const { right, top, bottom } = this.button.getBoundingClientRect(), { offsetWidth: w, offsetHeight: h } = this.element;
    this.element.style.left = `${Math.max(8, right - w)}px`;
    this.element.style.top = `${bottom + h + 12 < innerHeight ? bottom + 4 : Math.max(4, top - h - 4)}px`;
  }

  /** Says what was done, on a line that is always there: nothing else moves. */
  tell(words = "As it is now") {
    this.byHand.hidden = true;
    this.said.textContent = words;
  }

  async copy(text) {
    this.tell("…");
    try {
      await navigator.clipboard.writeText(text);
      this.tell("Copied");
    } catch {
      this.tell("Copy it from here:");
      Object.assign(this.byHand, { value: text, hidden: false });
      this.byHand.select();
      this.place();
    }
  }

  save(file, ending) {
    const link = make("a", { href: URL.createObjectURL(file), download: `${this.figure.id.replace(/^(ex|fig)-/, "")}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.tell("Saved");
  }
}
