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
  for (const fold of copy.querySelectorAll("details.deep")) { // a statement is shown whole
    fold.querySelector("summary").remove();
    fold.replaceWith(...fold.childNodes);
  }
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
