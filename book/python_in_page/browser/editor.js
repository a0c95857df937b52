// A field for code: Tab indents, Escape and then Tab leaves, Enter keeps the indentation, Ctrl+Enter runs.

import { make } from "./dom.js";

const STEP = "    ";

/** A text field with `text` in it; `run` is called for Ctrl+Enter, `changed` when the text has changed. */
export function editor(label, text, run, changed = () => {}) {
  const area = make("textarea", {
    value: text, spellcheck: false, autocapitalize: "off", autocomplete: "off", wrap: "off",
    rows: Math.max(8, text.split("\n").length + 2), "aria-label": label, "aria-description": "Tab indents. Escape, then Tab, leaves the field. Control and Enter together check.",
  });
  area.addEventListener("input", () => changed(area.value));
  area.addEventListener("keydown", keys(area, run));
  return area;
}

function keys(area, run) {
  let leaving = false;
  return event => {
    const { key, shiftKey, ctrlKey, metaKey } = event, stays = !leaving;
    leaving = key === "Escape" || (leaving && key === "Shift");
    if (key === "Enter" && (ctrlKey || metaKey)) run();
    else if (key === "Enter") insert(area, `\n${indentation(area)}`);
    else if (key === "Tab" && stays) shiftKey ? outdent(area) : insert(area, STEP);
    else return;
    event.preventDefault();
  };
}

/** Types `text` in place of what is selected, so that it can be undone. */
function insert(area, text) {
  if (!document.execCommand("insertText", false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input"));
}

/** Puts another text in place of all, so that it can be undone. */
export function replaceAll(area, text) {
  area.focus();
  area.select();
  insert(area, text);
}

/** The indentation of the next line: that of this one, and a step more behind a colon. */
function indentation(area) {
  const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
  return /^\s*/.exec(line)[0] + (/:\s*(#.*)?$/.test(line) ? STEP : "");
}

/** Takes a step from the beginning of the line. */
function outdent(area) {
  const { selectionStart: at, value } = area, begin = value.lastIndexOf("\n", at - 1) + 1;
  const spaces = /^ {0,4}/.exec(value.slice(begin))[0].length;
  if (!spaces) return;
  area.setSelectionRange(begin, begin + spaces);
  if (!document.execCommand("delete")) area.setRangeText("");
  const now = Math.max(begin, at - spaces);
  area.setSelectionRange(now, now);
}
