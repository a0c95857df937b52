/* What scrolls sideways can be reached by keyboard. It is measured once it is laid out: sections are when the reader comes
   near, folds when they are opened. All is read before anything is changed. */
const wide = document.querySelectorAll("div.math, div.highlight pre, .cell_output pre, div.table");
const laidOut = new IntersectionObserver(entries => {
  const boxes = entries.filter(entry => entry.isIntersecting).map(entry => entry.target);
  const scrolls = boxes.map(box => box.scrollWidth > box.clientWidth + 1);
  for (const [number, box] of boxes.entries()) {
    laidOut.unobserve(box);
    if (scrolls[number]) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", box.matches(".math") ? "Wide equation" : "Wide content");
    } else for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
}, { rootMargin: "9999999px" }); // however far from the screen
const measure = () => { for (const box of wide) laidOut.observe(box); };
addEventListener("resize", measure);
addEventListener("load", measure); // the fonts are there then
