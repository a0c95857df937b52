// What the parts below share.
const root = document.documentElement;
const starts = [...document.querySelectorAll(".beside-from")]; // where a part of the page begins, with its figure
const inText = [...document.querySelectorAll("article :is(figure.explorable, figure.figure)")].filter(figure => !figure.closest(".docks"));
const pointersOf = () => [...document.querySelectorAll(".points-at, .explorable-state")]; // once the figures' script has run
const figureOf = pointer => document.getElementById(pointer.dataset.figure ?? pointer.hash.slice(1));
const spoken = pointer => (pointer.matches(".explorable-state") ? pointer.parentElement : pointer);
const frameOf = figure => figure.querySelector(".explorable-frame, .figure-stage"); // its drawing
const make = (tag, properties, ...content) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
};
