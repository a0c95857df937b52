// Where a displayed equation may break on a narrow screen: at its wide spaces, before relations, and in long sums.
const RELATIONS = "=≠<>≤≥≪≫≈∼≃≅≡∝→←⇒⟹⟺⇔↦∈⊂⊆", OPENING = "([{⟨", CLOSING = ")]}⟩";
const SCRIPTED = new Set(["msub", "msup", "msubsup"]);
const WIDE = 1; // em: of \quad
const LONG = 20; // signs of an equation; shorter ones fit every screen
const SIDE = 8; // signs of a left side that may stand on a line of its own
const SUM = 16; // signs of a part of which a line may break before plus and minus

/** The markup of an equation as one <math>, or as several with what stands between them: space, and a break. */
export function lines(tree) {
  const row = rowOf(tree), parts = row && size(row) > LONG ? split(flat(row.children)) : [];
  if (parts.length < 2) return tree.toMarkup();
  return parts.map(({ before, children }) => {
    const math = new tree.constructor("math", [new row.constructor("mrow", children)]);
    math.setAttribute("displaystyle", "true");
    return before + math.toMarkup();
  }).join("");
}

/** The row of which an equation consists; one in columns has none. */
function rowOf({ children }) {
  const [row, ...others] = flat(children);
  return row.type === "mrow" && !others.length ? row : null;
}

const flat = nodes => nodes.flatMap(node => (node.type || !node.children ? [node] : flat(node.children)));

/** The parts of a row between which lines may break; a space at which one does is no part of either line. */
function split(nodes) {
  const parts = [{ before: "", children: [] }];
  let depth = 0;
  for (const node of nodes) {
    const part = parts.at(-1), outside = depth === 0;
    depth = Math.max(depth + turn(node), 0);
    if (outside && isWideSpace(node)) parts.push({ before: gap(node), children: [] });
    else if (outside && mayBegin(node, part)) parts.push({ before: "<wbr>", children: [infix(node)] });
    else part.children.push(node);
  }
  return parts.filter(({ children }) => children.length);
}

/** Whether a line may begin with a node, behind a part: a short left side stays with its right side. */
function mayBegin(node, part) {
  if (isRelation(node)) return part.children.some(isRelation) || size(part) > SIDE;
  return "+−".includes(signOf(node) || "none") && size(part) > SUM;
}

/** A plus or minus that begins a part, as the sign of a sum that it still is. */
function infix(node) {
  if ("+−".includes(signOf(node))) node.setAttribute("form", "infix");
  return node;
}

/** The number of signs in a node. */
const size = ({ children, text = "" }) => (children ? children.reduce((sum, child) => sum + size(child), 0) : text.length);

/** A space of a text, which lines drop where they break, as wide as that of the equation. */
const gap = ({ attributes }) => `<span class="gap" style="word-spacing:${parseFloat(attributes.width) - 0.25}em"> </span>`;

const signOf = ({ type, children }) => (type === "mo" && children[0]?.text) || "";
const isRelation = node => signOf(node) !== "" && RELATIONS.includes(signOf(node));
const isWideSpace = ({ type, attributes }) => type === "mspace" && parseFloat(attributes.width) >= WIDE;

/** 1 for a bracket that opens, -1 for one that closes, 0 for all else. */
function turn(node) {
  if (SCRIPTED.has(node.type)) return turn(node.children[0]);
  const sign = signOf(node), { form } = node.attributes ?? {};
  if (sign === "") return 0;
  if (OPENING.includes(sign) || (form === "prefix" && "|‖".includes(sign))) return 1;
  return CLOSING.includes(sign) || (form === "postfix" && "|‖".includes(sign)) ? -1 : 0;
}
