// Roots of letters without ascenders: Chromium would draw the bar across these letters.
const LOW = new Set("acegmnopqrsuvwxyzαγεηικμνπρστυφχψω");
const ASCENDER = "0.7em";

/** Makes what stands in such a root as high as a letter with an ascender. */
export function raiseRoots(node) {
  if (!node.children) return;
  node.children.forEach(raiseRoots);
  if (node.type !== "msqrt" || ![...baseOf(node)].every(letter => LOW.has(letter))) return;
  const padded = new node.constructor("mpadded", node.children);
  padded.setAttribute("height", ASCENDER);
  node.children = [padded];
}

/** The letters of a node but those of indices, which hang below. */
function baseOf({ type, children, text = "" }) {
  if (!children) return text;
  return (type === "msub" ? children.slice(0, 1) : children).map(baseOf).join("");
}
