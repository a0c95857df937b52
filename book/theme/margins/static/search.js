// Search, loaded when it is first used: results under the field while typing, all of them on a page of their own,
// the words marked where a result leads. The index is Pagefind's (book/extensions/search_index.py).
const site = new URL("../", import.meta.url);
const WHILE_TYPING = 8, IN_ALL = 60; // places that are shown
const BY_NAME = { term: 12, name: 6, api: 1, title: 0 }; // how much it counts that a place is called so (search_index.py)
// what people type, and what this book calls it
const SYNONYMS = {
  "kkt": "karush kuhn tucker", "rbf": "gaussian kernel",
  "svm": "support vector machine", "icl": "in-context", "rkhs": "reproducing kernel hilbert space",
  "mkl": "multiple kernel", "max-margin": "widest street", "regression path": "regularisation path",
};

let loaded;
function engine() {
  loaded ??= import(new URL("search/pagefind.js", import.meta.url)).then(async pagefind => {
    await pagefind.options({ baseUrl: site.pathname, excerptLength: 24, ranking: { metaWeights: BY_NAME } });
    await pagefind.init();
    return pagefind;
  });
  return loaded;
}

/** What `work` brings, once all before it is done: Pagefind has one record of a place, with the latest search's words. */
let latest = Promise.resolve();
function inTurn(work) {
  latest = latest.catch(() => {}).then(work);
  return latest;
}

/** The query with each short name written out as the book says it, as it is, and in the book's spelling. */
function variants(query) {
  const asked = query.trim().toLowerCase();
  const known = Object.keys(SYNONYMS).filter(name => ` ${asked} `.includes(` ${name} `));
  const writtenOut = known.map(name => ` ${asked} `.replace(` ${name} `, ` ${SYNONYMS[name]} `).trim());
  return new Set([...writtenOut, asked, asked.replace(/(?<=\w{3})iz(?=[aei])/g, "is")]);
}

/** Whether a result says a word that begins like one of those: of a word that is nowhere, Pagefind tries ever less. */
async function says(result, words) {
  const marked = [...(await result.data()).excerpt.matchAll(/<mark>(.*?)<\/mark>/g)].map(found => found[1].toLowerCase());
  const begins = words.split(/\s+/).map(word => word.slice(0, Math.max(3, Math.ceil(word.length / 2))));
  return marked.some(word => begins.some(begin => word.includes(begin)));
}

/** Places that answer, those of the book's own words first; `open()` of one brings what is shown. */
async function find(query) {
  const pagefind = await engine();
  const places = new Map();
  for (const words of variants(query)) {
    const { results } = await pagefind.search(words);
    if (!results.length || !await says(results[0], words)) continue;
    for (const { id, data } of results) if (!places.has(id)) places.set(id, { words, open: data });
  }
  return [...places.values()];
}

/** Where a place is: the index has a folder for each page and a file in it for each place. */
function address(url, words) {
  const place = new URL(url.replace(/\/([^/]+)\.html$/, ".html#$1"), site);
  place.searchParams.set("marked", words);
  return place.href;
}

/** The best of the places, what is called exactly so before others, under their pages in the order of their best. */
async function entries(query, found, count) {
  const pages = new Map(), best = await Promise.all(found.slice(0, count).map(open));
  const isCalledSo = place => place.meta.title.toLowerCase() === query.toLowerCase();
  for (const place of [...best.filter(isCalledSo), ...best.filter(place => !isCalledSo(place))]) {
    const [page] = place.filters.page;
    pages.set(page, [...(pages.get(page) ?? []), line(place)]);
  }
  return [...pages].map(([page, lines]) => {
    const item = document.createElement("li"), list = document.createElement("ul");
    list.append(...lines);
    item.append(Object.assign(document.createElement("p"), { className: "of-page", textContent: page }), list);
    return item;
  });
}

const open = async ({ words, open }) => ({ words, ...await open() });

/** An excerpt without the place's own name, which are its first words, some of them marked. */
function withoutName(excerpt, name) {
  for (let end = name.length; end <= excerpt.length; end++)
    if (excerpt.slice(0, end).replace(/<\/?mark>/g, "") === name) return excerpt.slice(end);
  return excerpt;
}

/** A link to a place, and its words around those that were asked for. */
function line(place) {
  const line = document.createElement("li"), link = document.createElement("a"), context = document.createElement("p");
  link.href = address(place.url, place.words);
  link.textContent = place.meta.title;
  context.className = "context";
  context.innerHTML = withoutName(place.excerpt, `${link.innerHTML}. `); // Pagefind's: escaped text with <mark>
  line.append(link, context);
  return line;
}

/** How many places answer, nothing without an index, and the entries of the best `count`. */
async function answer(query, count) {
  const places = await find(query).catch(() => null);
  return [places?.length, await entries(query, places ?? [], count)];
}

function summary(query, places, count) {
  if (places === undefined) return "The index of the book could not be loaded.";
  if (!places) return `Your search for “${query}” did not match anything. Are all words spelled right?`;
  const said = `“${query}” is said in ${places} place${places > 1 ? "s" : ""}`;
  return places > count ? `${said}; these are the nearest.` : `${said}.`;
}

/** Results under the field while one types; arrows go through them, Escape closes. */
export function attach(field) {
  const panel = document.createElement("div"), status = document.createElement("p"), list = document.createElement("ul");
  panel.className = "search while-typing";
  panel.popover = "manual";
  status.setAttribute("role", "status");
  panel.append(status, list);
  field.form.after(panel);
  let turn = 0;

  function place() {
    const box = field.getBoundingClientRect();
    panel.style.top = `${box.bottom + 4}px`;
    panel.style.left = `${Math.max(8, Math.min(box.left, innerWidth - panel.offsetWidth - 8))}px`;
    panel.style.maxHeight = `${innerHeight - box.bottom - 16}px`;
  }
  function close() {
    turn += 1;
    if (panel.matches(":popover-open")) panel.hidePopover();
  }
  async function show() {
    const mine = ++turn, query = field.value.trim();
    if (query.length < 2) return close();
    const isLate = () => mine !== turn; // something else was typed since
    const [places, items] = await inTurn(() => isLate() ? [] : answer(query, WHILE_TYPING));
    if (isLate()) return;
    status.textContent = `${summary(query, places, WHILE_TYPING)}${places > WHILE_TYPING ? " Enter shows more." : ""}`;
    list.replaceChildren(...items);
    if (!panel.matches(":popover-open")) panel.showPopover();
    place();
  }
  function step(event) {
    const links = [...panel.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "Escape" && panel.matches(":popover-open")) {
      event.stopPropagation();
      close();
      field.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!panel.matches(":popover-open")) return;
      event.preventDefault();
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      (links[next] ?? (next < 0 ? field : links.at(-1)))?.focus(); // nothing found, no last one
    }
  }
  field.addEventListener("input", show);
  for (const part of [field, panel]) part.addEventListener("keydown", step);
  document.addEventListener("click", event => { if (!panel.contains(event.target) && event.target !== field) close(); });
  panel.addEventListener("focusout", event => {
    if (event.relatedTarget && !panel.contains(event.relatedTarget) && event.relatedTarget !== field) close();
  });
  addEventListener("resize", () => panel.matches(":popover-open") && place());
  if (field.value) show();
}

/** All results of the address's question, on the search page. */
export async function showAll(status, list) {
  const query = new URLSearchParams(location.search).get("q")?.trim();
  if (!query) return;
  const [places, items] = await inTurn(() => answer(query, IN_ALL));
  list.replaceChildren(...items);
  status.textContent = summary(query, places, IN_ALL);
}

/** The words that led here, marked in the text. */
export function mark(words) {
  if (!CSS.highlights) return;
  const stems = words.split(/\s+/).filter(word => word.length > 1).map(word => word.replace(/[^\p{L}\p{N}-]/gu, ""));
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}])(?:${stems.filter(Boolean).join("|")})`, "giu");
  const ranges = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); stems.length && node; node = walker.nextNode())
    for (const hit of node.data.matchAll(wanted)) {
      const range = new Range();
      range.setStart(node, hit.index);
      range.setEnd(node, hit.index + hit[0].length);
      ranges.push(range);
    }
  CSS.highlights.set("found", new Highlight(...ranges));
}
