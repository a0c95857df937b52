// Search, loaded when it is first used: results under the field while typing, all of them on a page of their own,
// the words marked where a result leads. Which places answer is found in search_places.js.
const site = new URL("../", import.meta.url), version = new URL(import.meta.url).search;
const module = name => import(new URL(name + version, import.meta.url));
const [{ find }, { escaped, excerpt, withFormulas }, { wordsOf }] =
  await Promise.all(["search_places.js", "search_excerpt.js", "search_words.js"].map(module));
const WHILE_TYPING = 8, IN_ALL = 60; // places that are shown

/** What `work` brings, once all before it is done: a search that was typed over meanwhile need not begin. */
let latest = Promise.resolve();
function inTurn(work) {
  latest = latest.catch(() => {}).then(work);
  return latest;
}

/** Where a place is: the index has a folder for each page and a file in it for each place. */
function address(url, words) {
  const place = new URL(url.replace(/\/([^/]+)\.html$/, ".html#$1"), site);
  place.searchParams.set("marked", words);
  return place.href;
}

/** The page of a place, such as chapters/01_svm_duality. */
const pageOf = url => url.slice(site.pathname.length, url.lastIndexOf("/"));

/** What the pages are called. */
let titles;
function titlesOfPages() {
  const file = new URL("search/pages.json", import.meta.url);
  return titles ??= fetch(file, { cache: "no-cache" }).then(answer => answer.json());
}

/** The best of the places, what is called exactly so before others; those that follow on one page under its name. */
async function entries({ places, names }, count) {
  const best = await Promise.all(places.slice(0, count).map(opened)), titleOf = await titlesOfPages(), pages = [];
  const called = place => (names.indexOf(wordsOf(place.meta.title).join(" ")) + 1) || Infinity;
  for (const place of best.sort((a, b) => called(a) === called(b) ? 0 : called(a) - called(b))) {
    const name = titleOf[pageOf(place.url)];
    if (pages.at(-1)?.name !== name) pages.push({ name, lines: [] });
    pages.at(-1).lines.push(line(place));
  }
  return pages.map(({ name, lines }) => {
    const item = document.createElement("li"), list = document.createElement("ul");
    list.append(...lines);
    item.append(Object.assign(document.createElement("p"), { className: "of-page", textContent: name }), list);
    return item;
  });
}

/** A place with what is shown of it. */
async function opened({ words, at, open }) {
  const place = await open(), name = place.meta.title;
  const [title, context] = await withFormulas(place.url, [escaped(name), excerpt(place.content, name, at)]);
  return { ...place, words, title, context };
}

/** A link to a place, and its words around those that were asked for. */
function line(place) {
  const line = document.createElement("li"), link = document.createElement("a"), context = document.createElement("p");
  link.href = address(place.url, [...new Set(place.words)].join(" "));
  link.innerHTML = place.title;
  context.className = "context";
  context.innerHTML = place.context;
  line.append(link, context);
  return line;
}

/** What was found, nothing without an index, and the entries of the best `count`. */
async function answer(query, count) {
  const found = await find(query).catch(() => null);
  return [found, found ? await entries(found, count) : []];
}

function summary(query, found, count) {
  if (!found) return "The index of the book could not be loaded.";
  const { places, all, read } = found, number = count => `${count} place${count > 1 ? "s" : ""}`;
  if (!places.length) return `Your search for “${query}” did not match anything. Are all words spelled right?`;
  const other = read.filter(({ typed, phrase }) => typed !== phrase).map(({ typed, phrase }) => `“${typed}” read as “${phrase}”`);
  const said = all ? `“${query}” is said in ${number(all)}` : `No place says all of “${query}”, ${number(places.length)} some of it`;
  const nearest = places.length > count ? "; these are the nearest" : "";
  return `${[said, ...other].join(", ")}${nearest}.`;
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
    const [found, items] = await inTurn(() => isLate() ? [] : answer(query, WHILE_TYPING));
    if (isLate()) return;
    status.textContent = `${summary(query, found, WHILE_TYPING)}${found?.places.length > WHILE_TYPING ? " Enter shows more." : ""}`;
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

/** The words of the last part of an address, without its ending and the number at its beginning. */
const wordsOfPath = path => path.replace(/.*\/|\.\w+$/g, "").replace(/%[\da-f]{2}|[^\p{L}\p{N}]/giu, " ").replace(/^ *\d+ /, "").trim();

/** All results of the address's question, on the search page; of the address itself, where there is no page. */
export async function showAll(status, list) {
  const { question } = list.dataset;
  const query = question === "address" ? wordsOfPath(location.pathname) : new URLSearchParams(location.search).get("q")?.trim();
  if (!query) return;
  const [found, items] = await inTurn(() => answer(query, IN_ALL));
  list.replaceChildren(...items);
  status.textContent = summary(query, found, IN_ALL);
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
