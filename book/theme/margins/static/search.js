// Search, loaded when it is first used: results under the field while typing, all of them on a page of their own,
// the words marked where a result leads. The index is Pagefind's (book/extensions/search_index.py).
const site = new URL("../", import.meta.url);
const PLACES_OF_A_PAGE = 3, PAGES_WHILE_TYPING = 4;
// what people type, and what this book calls it
const SYNONYMS = {
  "kkt": "karush kuhn tucker", "rbf": "gaussian kernel", "softmax kernel": "exponential kernel",
  "svm": "support vector machine", "icl": "in-context", "rkhs": "reproducing kernel hilbert space",
  "mkl": "multiple kernel", "performer": "random features", "max-margin": "widest street",
};

let loaded;
function engine() {
  loaded ??= import(new URL("search/pagefind.js", import.meta.url)).then(async pagefind => {
    await pagefind.options({ baseUrl: site.pathname, excerptLength: 24 });
    await pagefind.init();
    return pagefind;
  });
  return loaded;
}

/** What `work` brings, once all before it is done: Pagefind has one record of a page, with the latest search's words. */
let latest = Promise.resolve();
function inTurn(work) {
  latest = latest.catch(() => {}).then(work);
  return latest;
}

/** The query with each short name written out as the book says it, then the query as it is. */
function variants(query) {
  const asked = query.trim().toLowerCase();
  const known = Object.keys(SYNONYMS).filter(name => ` ${asked} `.includes(` ${name} `));
  return [...known.map(name => ` ${asked} `.replace(` ${name} `, ` ${SYNONYMS[name]} `).trim()), asked];
}

/** Whether a result says a word that begins like one of those: of a word that is nowhere, Pagefind tries ever less. */
async function says(result, words) {
  const marked = [...(await result.data()).excerpt.matchAll(/<mark>(.*?)<\/mark>/g)].map(found => found[1].toLowerCase());
  const begins = words.split(/\s+/).map(word => word.slice(0, Math.max(3, Math.ceil(word.length / 2))));
  return marked.some(word => begins.some(begin => word.includes(begin)));
}

/** Pages that answer, those of the book's own words first; `open()` of one brings its places. */
async function find(query) {
  const pagefind = await engine();
  const pages = new Map();
  for (const words of variants(query)) {
    const { results } = await pagefind.search(words);
    if (!results.length || !await says(results[0], words)) continue;
    for (const { id, data } of results) if (!pages.has(id)) pages.set(id, { words, open: data });
  }
  return [...pages.values()];
}

/** The places of a page that say the words, those that say them most first. */
function placesOf(page) {
  const weight = place => place.weighted_locations.reduce((sum, word) => sum + word.balanced_score, 0);
  return page.sub_results.sort((a, b) => weight(b) - weight(a));
}

function address(url, words) {
  const place = new URL(url, site);
  place.searchParams.set("marked", words);
  return place.href;
}

/** One page's entry: its title, and its places that say the words. */
async function entry(found, count) {
  const page = await found.open();
  const item = document.createElement("li");
  const title = Object.assign(document.createElement("p"), { className: "of-page", textContent: page.meta.title });
  const list = document.createElement("ul");
  for (const place of placesOf(page).slice(0, count)) {
    const line = document.createElement("li"), link = document.createElement("a"), context = document.createElement("p");
    link.href = address(place.url, found.words);
    link.textContent = place.title;
    context.className = "context";
    const [before, after] = place.excerpt.split(`${place.title}. `); // the place's own heading is its first words
    context.innerHTML = after ?? before; // Pagefind's: escaped text with <mark>
    line.append(link, context);
    list.append(line);
  }
  item.append(title, list);
  return item;
}

/** How many pages answer, nothing without an index, and the entries of the first `most`, each with `count` places. */
async function answer(query, most, count) {
  const pages = await find(query).catch(() => null);
  return [pages?.length, await Promise.all((pages ?? []).slice(0, most).map(found => entry(found, count)))];
}

function summary(query, pages) {
  if (pages === undefined) return "The index of the book could not be loaded.";
  if (!pages) return `Your search for “${query}” did not match anything. Are all words spelled right?`;
  return `“${query}” is said on ${pages} page${pages > 1 ? "s" : ""}.`;
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
    const [pages, items] = await inTurn(() => isLate() ? [] : answer(query, PAGES_WHILE_TYPING, PLACES_OF_A_PAGE));
    if (isLate()) return;
    status.textContent = `${summary(query, pages)}${pages > PAGES_WHILE_TYPING ? " Enter shows all." : ""}`;
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
  const [pages, items] = await inTurn(() => answer(query, Infinity, 12));
  list.replaceChildren(...items);
  status.textContent = summary(query, pages);
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
