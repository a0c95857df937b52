// Reporting an error: the form of the forge, with the page, the section, the passage and the figure's state filled in.
const report = document.querySelector(".colophon .report");
const LONGEST_QUOTATION = 300; // characters: the form comes as an address, and those have their limits
const ENOUGH = 3; // characters
const QUIET = 250; // milliseconds without a change of the selection

/** What is selected in the article outside of what can be edited; null if nothing is. */
function passage() {
  const selection = getSelection();
  if (selection.isCollapsed) return null;
  const range = selection.getRangeAt(0), around = range.commonAncestorContainer;
  if (String(range).trim().length < ENOUGH) return null;
  const element = around.nodeType === Node.ELEMENT_NODE ? around : around.parentElement;
  return element.closest("article") && !element.closest("textarea, [contenteditable]") ? { range, element } : null;
}

const distance = (one, other) => Math.max(0, one.top - other.bottom, other.top - one.bottom);

/** The state of the figure nearest to a passage, as a part of an address; "" if it is as it was at the start. */
function figureNear(range) {
  const place = range.getBoundingClientRect();
  const far = figure => distance(figure.getBoundingClientRect(), place);
  const [nearest] = [...document.querySelectorAll("figure.explorable")].filter(figure => figure.view && figure.checkVisibility({ checkOpacity: true })).sort((one, other) => far(one) - far(other));
  return nearest?.view.address.includes("?") ? nearest.view.address : "";
}

/** The lines that say where a passage is, and quote it. */
function linesOf({ range, element }, page) {
  const heading = element.closest("section[id]")?.querySelector("h1, h2, h3, h4"), figure = figureNear(range);
  const words = selected(getSelection());
  for (const formula of words.querySelectorAll("math")) formula.replaceWith(formula.dataset.tex ? `$${formula.dataset.tex}$` : "");
  for (const tool of words.querySelectorAll("button, script, style, .headerlink")) tool.remove();
  const said = words.textContent.replace(/\s+/g, " ").trim();
  const quotation = said.length > LONGEST_QUOTATION ? `${said.slice(0, LONGEST_QUOTATION)}…` : said;
  return [
    heading && `Section: ${heading.getAttribute("aria-label") ?? heading.textContent}, ${page}#${element.closest("[id]").id}`,
    figure && `Figure: ${page}#${figure}`,
    `\n> ${quotation}`,
  ].filter(Boolean);
}

/** The address of the form; without a passage the page's own address says what the reader did last. */
function form() {
  const address = new URL(report.dataset.blank), body = address.searchParams.get("body");
  const [head, rest] = body.split("\n\n"), page = head.match(/^Page: (\S*)/)[1], found = passage();
  const lines = found ? linesOf(found, page) : location.hash ? [`Place: ${page}${location.hash}`] : [];
  address.searchParams.set("body", [head, ...lines].join("\n") + `\n\n${rest}`);
  return address.href;
}

if (report) {
  report.dataset.blank = report.href;
  const beside = Object.assign(document.createElement("a"), { className: "report-passage", textContent: report.textContent, target: "_blank", rel: "noopener" });
  for (const link of [report, beside])
    for (const event of ["pointerdown", "focus"]) link.addEventListener(event, () => (link.href = form()));
  let resting;

  /** Puts the link below the end of the passage; a style sheet puts it to the edge of a screen that is touched. */
  const show = () => {
    const found = passage();
    if (!found) return beside.matches(":focus, :active") || beside.remove();
    beside.href = form();
    document.querySelector("main").append(beside);
    if (getComputedStyle(beside).position === "fixed") return;
    const end = [...found.range.getClientRects()].at(-1), from = beside.offsetParent.getBoundingClientRect();
    beside.style.top = `${end.bottom - from.top + 4}px`;
    beside.style.left = `${Math.max(0, Math.min(end.right, innerWidth - beside.offsetWidth - 16) - from.left)}px`;
  };
  document.addEventListener("selectionchange", () => { clearTimeout(resting); resting = setTimeout(show, QUIET); });
  beside.addEventListener("mousedown", event => event.preventDefault()); // or the passage is not selected any more
  beside.addEventListener("blur", show);
  document.addEventListener("keydown", event => {
    if (!beside.isConnected) return;
    if (event.key === "Escape") beside.remove();
    if (event.key !== "Tab" || event.shiftKey || document.activeElement === beside || !passage()) return;
    event.preventDefault(); // the first stop of a reader who has selected by keyboard
    beside.focus();
  });
}
