// Elements, and files that the page hands to the reader.

/** A new element with properties, attributes that begin with "aria-" or are "role", and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name === "role" || name.startsWith("aria-")) element.setAttribute(name, value);
    else element[name] = value;
  element.append(...children);
  return element;
}

/** A button with its name and what it does. */
export function button(name, press, properties = {}) {
  const made = make("button", { type: "button", textContent: name, ...properties });
  made.addEventListener("click", press);
  return made;
}

/** Gives the reader a file with `data` as JSON. */
export function download(name, data, type = "application/json") {
  const link = make("a", { href: URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
