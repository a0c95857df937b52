// The chapter's code as Python is asked for it: a cell with those that it needs, as the reader last ran them.

export const LIMIT = 60_000; // milliseconds: the cells that a cell needs run before it
const edited = new Map(); // by number, the text of the cells that the reader has run: later cells use them

/** What Python is asked for the cell of that number with the text `code`. */
export const request = (cells, number, code) => ({ setup: cells[number].needs.map(place => textOf(cells, place)), code });

/** The text of a cell as it was last run, or as the page has it. */
export const textOf = (cells, number) => edited.get(number) ?? cells[number].source;

/** Notes the text with which a cell ran; without one the page's counts again. */
export function noteText(number, text) {
  if (text === undefined) edited.delete(number);
  else edited.set(number, text);
}
