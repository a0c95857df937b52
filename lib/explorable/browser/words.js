// Words of the text that point at a mark of a figure: links to the figure whose title is the mark.

import { highlight } from "./numbers.js";

let kept = null; // the word that was chosen last, with its figure: its mark stays lit

/** Words light their mark while the reader is on them, and keep it lit once they are chosen. */
export function bindWords() {
  for (const word of document.querySelectorAll('a[href^="#ex-"][title]:not(.headerlink)')) {
    const figure = document.getElementById(word.hash.slice(1)), mark = word.title;
    if (!figure) continue;
    word.removeAttribute("title"); // no tooltip over the highlighted mark
    word.classList.add("points-at");
    for (const on of ["pointerenter", "focus"]) word.addEventListener(on, () => highlight(figure, mark));
    for (const off of ["pointerleave", "blur"]) word.addEventListener(off, () => highlight(figure, figure.keptMark));
    word.addEventListener("click", event => choose(event, word, figure, mark));
  }
  addEventListener("keydown", event => event.key === "Escape" && release());
  addEventListener("pointerdown", event => kept?.figure.contains(event.target) && release());
}

/** A click, a tap or Enter: the mark stays lit. Where the drawing is on the screen the page stays, too. */
function choose(event, word, figure, mark) {
  const { top, bottom } = figure.querySelector(".explorable-frame").getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) event.preventDefault();
  release();
  kept = { word, figure };
  word.classList.add("chosen");
  figure.keptMark = mark;
  highlight(figure, mark);
}

/** The chosen word's mark goes out: another word was chosen, the figure touched, or Escape pressed. */
function release() {
  if (!kept) return;
  kept.word.classList.remove("chosen");
  delete kept.figure.keptMark;
  highlight(kept.figure);
  kept = null;
}
