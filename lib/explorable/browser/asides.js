// Asides: marks that are shown only while something speaks of them; they fade in.

/** The asides of one figure: those that a paragraph holds, a word or symbol points at, or a guess is compared with. */
export class Asides {
  ofText = [];
  pointed = [];

  constructor(view) {
    this.view = view;
  }

  hold(names) {
    this.ofText = names;
    return this.show();
  }

  point(names) {
    this.pointed = names;
    return this.show();
  }

  /** Shows what is wanted; the picture of a page has no asides, so that its first frame is drawn for them. */
  async show() {
    const { view } = this;
    if (this.wanted.length && !view.frame) await view.place({});
    this.follow();
  }

  get wanted() {
    const { ofText, pointed, view } = this, compared = view.guesses.map(guess => guess.aside);
    return [...ofText, ...pointed, ...compared].filter(name => name in view.spec.asides);
  }

  follow() {
    const { wanted } = this;
    for (const mark of this.view.stage.querySelectorAll("[data-aside]")) mark.classList.toggle("on", wanted.includes(mark.dataset.aside));
  }
}
