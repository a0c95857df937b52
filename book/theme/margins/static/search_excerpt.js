// What is shown of a place: its name, and its words around those that were asked for, with formulas as MathML.
// A formula stands in the index between two signs; the first says which of the place's formulas it is
// (book/extensions/search/formulas.py).
const LENGTH = 24; // words
const FIRST = 0xE000, BEGIN = /[\uE000-\uF8FE]/, END = "\uF8FF", FORMULA = /([\uE000-\uF8FE])[^\uF8FF]*\uF8FF/g;
const site = new URL("../", import.meta.url), published = new URL("search/formulas/", import.meta.url);

export const escaped = text => Object.assign(document.createElement("p"), { textContent: text }).innerHTML;

/** Where `LENGTH` words have the most of those at `marked`: the first such place from word `from` on. */
function densest(count, marked, from) {
  let best = from, most = 0;
  for (let start = from; start <= count - LENGTH; start++) {
    const has = marked.filter(at => at >= start && at < start + LENGTH).length;
    if (has > most) [best, most] = [start, has];
  }
  return best;
}

/** Whether a formula has begun before that word and not ended. */
function isInFormula(words, before) {
  const signs = [...words.slice(0, before).join(" ")].filter(sign => sign === END || BEGIN.test(sign));
  return signs.length > 0 && signs.at(-1) !== END;
}

/** The text of a place around its words number `at`, which are marked; its name, with which it begins, left out. */
export function excerpt(text, name, at) {
  const words = escaped(text).split(/\s+/), from = name.trim().split(/\s+/).length;
  const marked = [...new Set(at)].filter(at => at >= from);
  let start = densest(words.length, marked, from), end = start + LENGTH;
  while (isInFormula(words, start)) start--;
  while (isInFormula(words, end)) end++;
  for (const at of marked) words[at] = `<mark>${words[at]}</mark>`;
  return words.slice(start, end).join(" ");
}

/** The formulas of the place at that address of the index; none where they cannot be loaded. */
function formulasOf(url) {
  const place = url.slice(site.pathname.length).replace(/\.html$/, ".json");
  return fetch(new URL(place, published)).then(answer => answer.json()).catch(() => []);
}

/** Escaped texts of a place with its formulas in the places of their signs. */
export async function withFormulas(url, texts) {
  const formulas = texts.some(text => BEGIN.test(text)) ? await formulasOf(url) : [];
  return texts.map(text => text.replace(FORMULA, (signs, first) => {
    const mathml = formulas[first.charCodeAt(0) - FIRST] ?? "…";
    return signs.includes("<mark>") ? `<mark>${mathml}</mark>` : mathml;
  }));
}
