// A figure that goes to a state by itself: sliders flow there, steps run there, choices change at once.

import { round } from "./positions.js";

const SHORTEST = 350, LONGEST = 1100, A_POSITION = 60; // milliseconds
const eased = share => (share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2);

/** The way of one figure to a state, about half a second long. */
export class Motion {
  calm = matchMedia("(prefers-reduced-motion: reduce)");
  number = 0; // of the last motion: one that still waits for the figure's frames ends when another begins

  constructor(view) {
    this.view = view;
  }

  stop() {
    this.number++;
    cancelAnimationFrame(this.request);
  }

  /** Goes to positions through those between; at once for who asked for less motion. */
  async go(to, animated) {
    this.stop();
    const { view, number } = this, from = { ...view.at };
    const far = Math.max(0, ...Object.keys(to).map(name => Math.abs(to[name] - from[name])));
    await view.source.load?.().catch(() => {}); // reported by the move
    if (number !== this.number) return;
    if (!far && view.frame) return;
    if (!far || !animated || this.calm.matches) return view.place(to);
    const lasts = Math.min(LONGEST, SHORTEST + A_POSITION * far), began = performance.now();
    const step = now => {
      const share = Math.min(1, Math.max(0, (now - began) / lasts));
      if (share === 1) return view.place(to);
      view.place(this.between(from, to, eased(share)), false);
      this.request = requestAnimationFrame(step);
    };
    this.request = requestAnimationFrame(step);
  }

  /** Positions at a share of the way. */
  between(from, to, share) {
    return Object.fromEntries(Object.keys(to).map(name => {
      const { kind } = this.view.parameter(name), at = from[name] + (to[name] - from[name]) * share;
      return [name, kind === "slider" ? at : kind === "play" ? round(at) : to[name]];
    }));
  }
}
