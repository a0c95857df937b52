// One panel in the page: its marks as elements, of which a new frame changes only what differs.

import { elementOf } from "./marks.js";

export const clipPaths = ({ box: [l, t, r, b] }, p, uid) =>
  [["box", 0], ["near", 12]].map(([name, more]) => `<clipPath id="${uid}-${p}-${name}"><rect x="${l - more}" y="${t - more}" width="${r - l + 2 * more}" height="${b - t + 2 * more}"/></clipPath>`).join("");

/** New content, made apart and exchanged piece by piece: after an exchange as a whole a browser styles the figure anew. */
function replaceContent(element, inner) {
  const apart = element.cloneNode(false);
  apart.innerHTML = inner;
  while (element.firstChild) element.firstChild.remove();
  element.append(...apart.childNodes);
}

/** A panel in the page; a new frame changes only the attributes that differ. */
export class PanelView {
  have = new Map(); // by key: element, attributes, content, and the mark they are of

  constructor(svg, p, uid) {
    Object.assign(this, { svg, p, uid });
  }

  draw(frame) {
    if (!this.have.size) this.svg.innerHTML = clipPaths(frame.panels[this.p], this.p, this.uid); // in place of the static picture
    const marks = frame.marks.filter(mark => mark.p === this.p);
    this.drop(marks); // first, or all that stand behind would be moved to the front of what is to go
    let before = this.svg.querySelectorAll("clipPath")[1];
    for (const mark of marks) {
      const { element } = this.put(mark);
      if (before.nextSibling !== element) before.after(element);
      before = element;
    }
  }

  /** Elements of marks that are no longer there go. */
  drop(marks) {
    const there = new Set(marks.map(mark => mark.k));
    for (const [key, { element }] of this.have) {
      if (there.has(key)) continue;
      element.remove();
      this.have.delete(key);
    }
  }

  /** The element of a mark, made or patched. */
  put(mark) {
    let kept = this.have.get(mark.k);
    if (kept?.mark === mark) return kept;
    if (kept && kept.mark.s === mark.s && kept.mark.n.length === mark.n.length && mark.n.every((v, i) => v === kept.mark.n[i])) return kept;
    const [tag, a, inner] = elementOf(mark, this.uid);
    if (!kept || kept.element.tagName !== tag) {
      kept?.element.remove();
      kept = { element: document.createElementNS("http://www.w3.org/2000/svg", tag), a: {}, inner: "" };
      this.have.set(mark.k, kept);
    }
    for (const name in a) if (kept.a[name] !== a[name]) kept.element.setAttribute(name, a[name]);
    for (const name in kept.a) if (!(name in a)) kept.element.removeAttribute(name);
    if (kept.inner !== inner) replaceContent(kept.element, inner);
    return Object.assign(kept, { a, inner, mark });
  }
}
