// The two depths of a chapter: the switch, and what opens folds besides it: links, the address, a search that leads here.
const DEPTHS = ["chapter", "everything"], USUAL = "chapter";
const folds = [...document.querySelectorAll("details.deep")];
const buttons = [...document.querySelectorAll(".depth button")];
const placeAt = hash => (hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1).split("?")[0])) : null);

/** Opens and shuts the folds as a depth has them. The head's script has hidden before what is shut here. */
function unfold(depth) {
  root.dataset.depth = depth;
  for (const fold of folds) fold.open = depth === "everything";
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === depth));
  root.classList.add("unfolds");
  document.dispatchEvent(new Event("depth"));
}

/** Remembers a depth in this browser, and in the address, where the usual one needs no word. */
function remember(depth) {
  try { localStorage.setItem("depth", depth); } catch { /* private browsing: the choice lasts for the page */ }
  const address = new URL(location.href);
  if (depth === USUAL) address.searchParams.delete("depth");
  else address.searchParams.set("depth", depth);
  history.replaceState(history.state, "", address);
}

/** The lines of text in the window, below the bar of a phone, from the first on, with their places. */
function linesInView() {
  const { bottom, width } = document.querySelector("header.book").getBoundingClientRect(), bar = width > innerWidth / 2 ? bottom : 0;
  const lines = [...document.querySelectorAll("article :is(h1, h2, h3, h4, p, li, summary, pre, figure, div.math, legend)")];
  return lines.filter(line => line.checkVisibility() && !line.closest(".docks")).map(line => ({ line, top: line.getBoundingClientRect().top }))
    .filter(({ top }) => top >= bar && top < innerHeight);
}

/** Chooses a depth. The first line in view that is still to be seen stays where it is, else what is folded now. */
function choose(depth) {
  const seen = linesInView();
  unfold(depth);
  remember(depth);
  if (!seen.length) return;
  let { line, top } = seen.find(({ line }) => line.checkVisibility()) ?? seen[0];
  for (let fold = line; (fold = fold.parentElement?.closest("details:not([open])")); ) if (!line.matches("summary")) line = fold;
  const stay = () => scrollBy({ top: line.getBoundingClientRect().top - top, behavior: "instant" });
  stay();
  requestAnimationFrame(() => { stay(); requestAnimationFrame(stay); }); // sections around are laid out meanwhile
}

for (const button of buttons) button.addEventListener("click", () => {
  choose(button.value);
  const contents = document.querySelector(".contents-button[aria-expanded='true']"); // on a phone they cover the page
  contents?.click();
  contents?.focus({ preventScroll: true });
});

/** Opens all in which a place stands, and an excursion's own fold; says whether anything was shut. */
function reveal(place) {
  if (!place) return false;
  const own = place.querySelectorAll(":scope > .excursion-fold");
  const shut = [...own].filter(fold => !fold.open);
  for (let fold = place; (fold = fold.closest("details:not([open])")); fold = fold.parentElement) shut.push(fold);
  for (const fold of shut) fold.open = true;
  return shut.length > 0;
}

/** Opens the folds of a place that have words which the search found there and nothing in view has. */
function revealWords(place, words) {
  const says = (part, word) => part.textContent.toLowerCase().includes(word);
  for (const word of words.toLowerCase().split(/\s+/).filter(word => word.length > 2)) {
    const inView = [...place.querySelectorAll("p, li, dt, dd, summary")].some(part => !part.closest("details:not([open])") && says(part, word));
    if (!inView) reveal([...place.querySelectorAll("details.deep:not([open])")].find(fold => says(fold, word)));
  }
}

const goTo = () => { const place = placeAt(location.hash); if (reveal(place)) place.scrollIntoView(); };

unfold(DEPTHS.includes(root.dataset.depth) ? root.dataset.depth : USUAL);
addEventListener("hashchange", goTo);
addEventListener("click", event => { // after the page's own listeners: a finger's first tap on a link only asks
  const link = event.target.closest?.("a[href^='#']");
  if (link && !event.defaultPrevented) reveal(placeAt(link.hash));
});
goTo();
const words = new URLSearchParams(location.search).get("marked");
if (words) revealWords(placeAt(location.hash) ?? document.querySelector("article"), words);
