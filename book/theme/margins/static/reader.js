// What the page does beyond being read: theme, contents on a phone, copying code and formulas, finding one's place, previews.
const root = document.documentElement;
const scriptAddress = document.currentScript.src, version = new URL(scriptAddress).search;

/* Theme: automatic, then the opposite of what that shows, then the other; the choice stays in this browser. */
const modes = ["automatic", "light", "dark"];
const themeButton = document.querySelector(".theme-button");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let mode = modes.includes(root.dataset.mode) ? root.dataset.mode : "automatic";

function applyMode() {
  root.dataset.mode = mode;
  root.dataset.theme = mode === "automatic" ? (prefersDark.matches ? "dark" : "light") : mode;
  themeButton.querySelector("span").textContent = mode;
}
themeButton.addEventListener("click", () => {
  const [shown, other] = prefersDark.matches ? ["dark", "light"] : ["light", "dark"];
  mode = { automatic: other, [other]: shown, [shown]: "automatic" }[mode];
  try { localStorage.setItem("mode", mode); } catch { /* private browsing: the choice lasts for the page */ }
  applyMode();
});
prefersDark.addEventListener("change", applyMode);
applyMode();

/* Contents on narrow screens. */
const book = document.querySelector("header.book");
const contentsButton = book.querySelector(".contents-button");

function openContents(open) {
  book.classList.toggle("open", open);
  contentsButton.setAttribute("aria-expanded", String(open));
}
contentsButton.addEventListener("click", () => openContents(!book.classList.contains("open")));
book.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !book.classList.contains("open")) return;
  openContents(false);
  contentsButton.focus();
});
book.addEventListener("focusout", event => event.relatedTarget && !book.contains(event.relatedTarget) && openContents(false)); // or it covers what has the focus

/* "/" goes to the search field. */
const searchField = document.getElementById("book-search");
document.addEventListener("keydown", event => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  openContents(true);
  searchField.focus();
});

/* Search is loaded by who uses it: in the field, on the page of results, or come from there. */
const searching = () => import(new URL("search.js" + version, scriptAddress));
searchField.addEventListener("focus", () => searching().then(search => search.attach(searchField)), { once: true });
const results = document.getElementById("search-results");
if (results) searching().then(search => search.showAll(document.getElementById("search-progress"), results));
const cameFor = new URLSearchParams(location.search).get("marked");
if (cameFor) searching().then(search => search.mark(cameFor));

/* A copy button on all code, and on no output, which it would cover. */
for (const block of document.querySelectorAll("div.highlight:not(.cell_output *)")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("pre").textContent.trimEnd());
      button.textContent = "Copied";
    } catch { button.textContent = "Select and copy by hand"; }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.append(button);
}

/* Copying gives formulas as the TeX that they were written in, whole, wherever in them a selection ends. */
const mathAt = place => (place.nodeType === Node.ELEMENT_NODE ? place : place.parentElement).closest("math");

/** Where the formula begins that `part` is of: long ones in the text are several <math> (mathml.py). */
function beginning(part) {
  const parts = [...document.querySelectorAll("math")];
  return parts.slice(0, parts.indexOf(part) + 1).findLast(formula => formula.dataset.tex);
}

/** A copy of what is selected, its formulas whole. */
function selected(selection) {
  const copy = document.createElement("div");
  for (let number = 0; number < selection.rangeCount; number++) {
    const range = selection.getRangeAt(number).cloneRange();
    const first = mathAt(range.startContainer), last = mathAt(range.endContainer);
    if (first) range.setStartBefore(beginning(first));
    if (last) range.setEndAfter(last);
    copy.append(range.cloneContents());
  }
  return copy;
}

document.addEventListener("copy", event => {
  const copy = selected(getSelection()), formulas = copy.querySelectorAll("math");
  if (!formulas.length) return;
  event.preventDefault();
  event.clipboardData.setData("text/html", copy.innerHTML);
  for (const formula of formulas) formula.replaceWith(formula.dataset.tex ?? "");
  for (const tool of copy.querySelectorAll("button, .headerlink")) tool.remove();
  document.body.append(copy); // lines are those of a text that is laid out
  event.clipboardData.setData("text/plain", copy.innerText);
  copy.remove();
});

/* A quiz: the explanation of the alternative that was chosen, announced when it is asked for. */
for (const question of document.querySelectorAll("fieldset.quiz")) {
  const explanations = question.querySelectorAll("details > ol > li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Check my answer";
  const verdict = document.createElement("div");
  verdict.setAttribute("role", "status");
  question.querySelector("details").before(button, verdict);
  question.addEventListener("change", () => verdict.replaceChildren());
  button.addEventListener("click", () => {
    const chosen = [...question.querySelectorAll("input")].findIndex(choice => choice.checked);
    if (chosen < 0) verdict.textContent = "Choose an alternative first.";
    else verdict.replaceChildren(...explanations[chosen].cloneNode(true).childNodes);
    verdict.classList.toggle("right", verdict.textContent.trim().startsWith("Right"));
  });
}

/* What scrolls sideways can be reached by keyboard. It is measured once it is laid out: sections are when the reader comes
   near, folds when they are opened. All is read before anything is changed. */
const wide = document.querySelectorAll("div.math, div.highlight pre, .cell_output pre, div.table");
const laidOut = new IntersectionObserver(entries => {
  const boxes = entries.filter(entry => entry.isIntersecting).map(entry => entry.target);
  const scrolls = boxes.map(box => box.scrollWidth > box.clientWidth + 1);
  for (const [number, box] of boxes.entries()) {
    laidOut.unobserve(box);
    if (scrolls[number]) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", box.matches(".math") ? "Wide equation" : "Wide content");
    } else for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
}, { rootMargin: "9999999px" }); // however far from the screen
const measure = () => { for (const box of wide) laidOut.observe(box); };
addEventListener("resize", measure);
addEventListener("load", measure); // the fonts are there then

/* A section that waits to be laid out counts as tall as its letters and the ends of its paragraphs would have it, without what
   is folded: so the scroll bar nearly tells the truth, and what measures the page finds no two things in one place. */
const BREAK = 80; // letters that would fill what a paragraph, an item or a term leaves empty
const lettersIn = parts => parts.reduce((sum, part) => sum + part.textContent.length, 0);
const sections = [...document.querySelectorAll("article > section > section")];
for (const section of sections) {
  const folded = section.querySelectorAll("details:not([open]):not(details details)");
  const breaks = section.querySelectorAll(":is(p, li, dt, dd):not(.false-versions *, .said *)").length;
  section.style.setProperty("--letters", lettersIn([section]) - lettersIn([...folded]) + BREAK * breaks);
}

/* Who comes back finds the page as tall as it was left, and so the place that the browser scrolls to. */
const LEFT = "heights of " + location.pathname;
const comesBack = performance.getEntriesByType("navigation")[0]?.type !== "navigate"; // by a reload, or through the history
if (sections.length) addEventListener("pagehide", () => {
  try { sessionStorage.setItem(LEFT, JSON.stringify([innerWidth, ...sections.map(section => section.offsetHeight)])); } catch { /* private browsing */ }
});
if (comesBack) try {
  const [width, ...heights] = JSON.parse(sessionStorage.getItem(LEFT)) ?? [];
  if (width === innerWidth) heights.forEach((height, number) => (sections[number].style.containIntrinsicBlockSize = `auto ${height}px`));
} catch { /* nothing that could be read */ }

/* The place is kept in the history too, by its section: a browser that is sent on before it has scrolled remembers the page's
   top, and what stands above may come out taller than it was. Who scrolls meanwhile is left alone. */
const left = comesBack && history.state?.left;
let touched = false;
for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(kind, () => (touched = true), { once: true, passive: true });
const topOf = section => (sections[section] ?? root).getBoundingClientRect().top;
addEventListener("scrollend", () => {
  const section = sections.findLastIndex((_, number) => topOf(number) <= 0);
  history.replaceState({ ...history.state, left: { section, top: topOf(section) } }, "");
});
if (left) addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => {
  if (!touched) scrollBy({ top: topOf(left.section) - left.top, behavior: "instant" });
})));

/* The section being read: marked in the lists that lead to it, named on the bar that stays on a phone. */
const placeAt = hash => hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
const places = new Map();
for (const link of document.querySelectorAll(":is(.on-this-page, header.book nav) a[href^='#']:not(ul ul ul a)")) {
  const section = placeAt(link.hash);
  if (section) places.set(section, [...(places.get(section) ?? []), link]);
}
const place = book.querySelector(".place");
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) entry.target.inView = entry.isIntersecting;
  const current = [...places.keys()].findLast(section => section.inView);
  for (const [section, links] of places)
    for (const link of links) {
      if (section === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  place.textContent = current ? places.get(current)[0].textContent : "";
}, { rootMargin: "0px 0px -70% 0px" });
for (const section of places.keys()) watcher.observe(section);
book.querySelector("nav").addEventListener("click", event => event.target.closest("a[href^='#']") && openContents(false));
/* A jump ends where it was meant to: the section of its end is laid out before, and those around it while it lasts. */
const layOut = place => place && place.closest("article > section > section")?.style.setProperty("content-visibility", "visible");
function settle() {
  const place = placeAt(location.hash);
  layOut(place);
  if (place) requestAnimationFrame(() => requestAnimationFrame(() => place.scrollIntoView()));
}
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']"); // that another tab opens, or a finger only asks about, is not followed
  if (!link || event.defaultPrevented) return;
  layOut(placeAt(link.hash));
  setTimeout(() => link.hash === location.hash && !event.defaultPrevented && settle());
});
if (!comesBack) addEventListener("load", settle);
addEventListener("scroll", () => {
  // by sections, for nobody knows how tall those are that wait to be laid out
  const all = [...places.keys()], at = all.findLastIndex(section => section.inView), { top, height } = (all[at] ?? root).getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (innerHeight * 0.3 - top) / height));
  book.style.setProperty("--read", (all.length ? Math.max(0, at + share) / all.length : share).toFixed(4));
}, { passive: true });

/* Paper shows everything that is folded on the screen; answers stand behind the chapter, by the name of what asks. */
const solutions = document.createElement("section");
solutions.className = "solutions";
const answers = [...document.querySelectorAll("details.solution, .quiz > details")];
const gaps = answers.map(() => document.createComment("the answer's place"));
const questions = [...document.querySelectorAll("fieldset.quiz")];

function nameOfAsking(answer) {
  if (answer.parentElement.matches(".quiz")) return `Question ${questions.indexOf(answer.parentElement) + 1}`;
  let box = answer;
  while (box && !box.matches(".exercise")) box = box.previousElementSibling;
  return box?.querySelector(".caption-number").textContent ?? "";
}
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details:not([open], .false-versions)")) { fold.open = true; fold.dataset.printed = ""; }
  if (!answers.length || solutions.isConnected) return;
  solutions.innerHTML = "<h2>Solutions</h2>";
  const names = answers.map(nameOfAsking);
  answers.forEach((answer, number) => {
    const title = Object.assign(document.createElement("h3"), { textContent: names[number] });
    answer.replaceWith(gaps[number]);
    solutions.append(title, answer);
  });
  document.querySelector("article").append(solutions);
});
addEventListener("afterprint", () => {
  if (solutions.isConnected) answers.forEach((answer, number) => gaps[number].replaceWith(answer));
  solutions.remove();
  for (const fold of document.querySelectorAll("details[data-printed]")) { fold.open = false; delete fold.dataset.printed; }
});

/* What a link inside the book leads to, shown beside it: a statement, an equation, a figure as it stands, a work, a term, a claim.
   It opens for a mouse that rests, for the focus and for a finger's first tap, and closes with Escape. */
const kinds = "div.math, .proof, .exercise, .citation, .claim, dl.glossary > dt, figure";
const links = 'main a[href*="#"]:not(.headerlink, .points-at, .explorable a, .preview a)';
const moving = ".headerlink, button, details, script, fieldset, output, .explorable-handle, .explorable-guess, .explorable-guess-shaft, .explorable-compare, .explorable-note, .cited-in";
const pages = new Map();
const box = document.createElement("div");
box.id = "preview";
box.className = "preview";
box.popover = "manual";
box.setAttribute("role", "tooltip");
document.querySelector("main").append(box);
const REST = 200; // milliseconds for which a mouse rests, or may be on its way into the box
let waiting = null, shown = null; // the link that the reader is at, and that of which the box tells

/* The page at an address: this one, or another of the book, fetched once. */
function pageAt(address) {
  if (address === location.href.split("#")[0]) return document;
  if (!pages.has(address))
    pages.set(address, fetch(address).then(answer => answer.text())
      .then(text => new DOMParser().parseFromString(text, "text/html")).catch(() => null));
  return pages.get(address);
}

/* A copy of what the link leads to, or nothing if that is no statement. */
async function told(link) {
  const [address, name] = link.href.split("#"), page = await pageAt(address);
  const place = page?.getElementById(decodeURIComponent(name)), copy = document.createElement("div");
  if (!place?.matches(kinds)) return null;
  copy.append(place.cloneNode(true));
  if (place.matches("dt")) copy.append(place.nextElementSibling.cloneNode(true));
  for (const gone of copy.querySelectorAll(moving)) gone.remove();
  for (const named of copy.querySelectorAll("[id]:not(svg *)")) named.removeAttribute("id"); // drawings refer to theirs
  for (const inner of copy.querySelectorAll("a[href]")) inner.href = new URL(inner.getAttribute("href"), address);
  return copy;
}

/* Shows what the link leads to, if the reader still waits for it; a finger is sent there if that is nothing. */
async function show(link, touched) {
  const content = await told(link);
  if (waiting !== link) return;
  if (!content) return touched && location.assign(link.href);
  if (touched) content.append(onward(link));
  box.replaceChildren(content);
  shown = link;
  link.setAttribute("aria-describedby", box.id);
  box.showPopover();
  put(link.getClientRects()[0]);
}

function onward(link) {
  const line = document.createElement("p"), go = document.createElement("a");
  [go.href, go.textContent] = [link.href, "Go there"];
  line.append(go);
  return line;
}

/* Below the link, above it where there is no room, never outside the window. */
function put(line) {
  const { width, height } = box.getBoundingClientRect(), below = line.bottom + 6;
  box.style.left = `${Math.max(8, Math.min(line.left, document.documentElement.clientWidth - width - 8))}px`;
  box.style.top = `${below + height < innerHeight ? below : Math.max(8, line.top - height - 6)}px`;
}

function hide() {
  waiting = null;
  shown?.removeAttribute("aria-describedby");
  if (shown) box.hidePopover();
  shown = null;
}

function soon(link, delay, touched) {
  if (link === waiting) return;
  hide();
  waiting = link;
  setTimeout(() => waiting === link && show(link, touched), delay);
}

const isPointedAt = () => waiting?.matches(":hover, :focus-visible") || box.matches(":hover");

/* The mouse may go from the link into the box; whatever else it rests on closes the box. */
document.addEventListener("pointerover", event => {
  const link = event.target.closest(links);
  if (event.pointerType === "touch" || box.contains(event.target)) return;
  if (link) soon(link, REST);
  else if (waiting) setTimeout(() => isPointedAt() || hide(), REST);
});
document.addEventListener("focusin", event => {
  const link = event.target.closest(links);
  if (link?.matches(":focus-visible")) soon(link, 0);
  else if (!box.contains(event.target)) hide();
});
document.addEventListener("click", event => {
  const link = event.target.closest(links);
  if (event.pointerType === "touch" && link && link !== shown) {
    event.preventDefault();
    soon(link, 0, true);
  } else if (!box.contains(event.target)) hide();
});
document.addEventListener("keydown", event => event.key === "Escape" && hide());
addEventListener("scroll", () => shown && !isPointedAt() && hide(), { passive: true });
