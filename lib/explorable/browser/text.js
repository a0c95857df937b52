// Texts for the reader: numbers with minus signs and three digits, HTML escapes, the text of an element; new elements.

export const withMinusSigns = text => text.replace(/(?<![\w.])-(?=\d)/g, "\u2212"); // before a number, not in "leave-one-out"
const digits = value => (Math.abs(value) < 1000 ? Number(value.toPrecision(3)) : Math.round(value));
export const valueText = value => withMinusSigns(String(typeof value === "number" ? digits(value) : value));
export const setText = (element, text) => { // in the old node: a new one makes the browser match the style sheet again
  if (element.textContent === text) return;
  if (element.firstChild?.nodeType === 3) element.firstChild.data = text;
  else element.textContent = text;
};
export const make = (tag, properties, ...content) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
};
export const makeButton = (textContent, onclick) => make("button", { type: "button", textContent, onclick });
export const escape = text => String(text).replace(/[&<>"']/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" })[c]);
