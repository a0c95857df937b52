// What the parts below share.
const root = document.documentElement;
const starts = [...document.querySelectorAll(".beside-from")]; // where a part of the page begins, with its figure
const make = (tag, properties, ...content) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
};
