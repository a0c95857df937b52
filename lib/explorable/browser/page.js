// The figures of a built page: they load when they come near, and are addressed by links.

import { BakedSource } from "./sources.js";
import { mount } from "./figure.js";
import { bindPointers } from "./pointing.js";
import { bindStates } from "./states.js";
import { bindShare } from "./share.js";
import { make } from "./text.js";

const NEAR = "600px"; // from the screen: then a figure loads its table

/** The figures of a built page; each fetches its table and gets its menus when it comes near. */
export function mountPage() {
  const near = new IntersectionObserver(
    entries => entries.filter(entry => entry.isIntersecting).forEach(({ target }) => {
      near.unobserve(target);
      target.menus?.bringBack();
      target.source.load().catch(() => {}); // reported when the reader moves something
    }),
    { rootMargin: NEAR },
  );
  for (const figure of document.querySelectorAll('figure.explorable[data-source="baked"]')) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    figure.source = new BakedSource(spec, figure.dataset.frames);
    mount(figure, spec, figure.source);
    if (figure.closest("section section")) figure.menus = removeUntilNear(figure.querySelectorAll("select"));
    near.observe(figure);
  }
  bindPointers();
  bindStates();
  bindShare();
  addEventListener("hashchange", goToAddress);
  goToAddress();
}

/** Menus of the sections below the first, out of the page for now: a browser that looks for forms to fill in
    lays out all that is around a menu, however far away. In its place stands a gap of about its width, so that
    the row does not break elsewhere when it comes back. */
function removeUntilNear(menus) {
  const gaps = [...menus].map(menu => [menu, gapOf(menu)]);
  for (const [menu, gap] of gaps) menu.replaceWith(gap);
  return { bringBack: () => gaps.forEach(([menu, gap]) => gap.replaceWith(menu)) };
}

/** An unseen box with the menu's longest option. */
function gapOf(menu) {
  const texts = [...menu.options].map(option => option.text);
  return make("span", { className: "explorable-gap" }, texts.reduce((longest, text) => (text.length > longest.length ? text : longest), ""));
}

/** A state that the address names, #ex-name?parameter=value&..., is shown. */
function goToAddress() {
  const [id, state] = location.hash.slice(1).split("?"), figure = state && document.getElementById(decodeURIComponent(id));
  if (!figure?.view) return;
  if (figure.dataset.alone !== "") figure.scrollIntoView({ block: "center" }); // one that is alone in a frame would scroll the pages around
  figure.view.show(Object.fromEntries(new URLSearchParams(state)));
}
