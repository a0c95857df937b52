// HTML that came from a reader's code, without anything that could act: what draws and says, no more.

const ALLOWED = new Set(`figure figcaption div span p ul li details summary label select option input button fieldset legend output
  svg g path line rect circle ellipse polygon polyline text tspan defs clippath use marker pattern title desc image
  lineargradient stop em strong code sub sup b i`.split(/\s+/));
const ACTS = /^on|^(href|src|action|formaction|xlink:href|srcdoc|srcset|target|ping)$/i;

/** The elements that `html` describes, cleaned. */
export function cleaned(html) {
  const body = new DOMParser().parseFromString(html, "text/html").body;
  for (const element of body.querySelectorAll("*")) {
    if (!ALLOWED.has(element.localName.toLowerCase())) element.remove();
    else for (const { name, value } of [...element.attributes]) if (ACTS.test(name) && !inside(element, name, value)) element.removeAttribute(name);
  }
  return [...body.childNodes];
}

/** Whether an address is a part of the same drawing, or a picture that the text itself holds. */
const inside = (element, name, value) =>
  /href$/.test(name) && (value.startsWith("#") || (element.localName === "image" && value.startsWith("data:image/png;base64,")));
