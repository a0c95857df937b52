// TeX's spaces in Temml's tree, where the operator dictionary of MathML has others.
const SCRIPTED = new Set(["msub", "msup", "msubsup", "munder", "mover", "munderover"]);
const SIGNS = "−+±∓", DOTS = "…⋯", OPENING = "([{⟨", CLOSING = ")]}⟩", OF = "\u2061"; // between a name and its argument
const THIN = "0.1667em", NONE = "0em";
const DISPLAY = 2, TEXT = 1, SCRIPT = 0; // TeX's styles, as far as spaces depend on them
const ENDS = ["ordinary", "bracket", "close", "inner"]; // behind these a sign is between two things, and thin space before the next

/** Sets the spaces of all rows below a node. */
export function space(node, style = node.attributes.display ? DISPLAY : TEXT) {
  if (!node.children) return;
  if (!SCRIPTED.has(node.type) && node.type !== "mfrac") spaceRow(node.children, style);
  node.children.forEach((child, number) => space(child, styleInside(node, number, style)));
}

/** No space before a relation with which a formula begins, as in "weights ≥ 0": the line has one. */
export function leadTight(tree) {
  let first = tree;
  while (first.children?.length && first.type !== "mo") first = first.children[0];
  if (first.type === "mo" && kindOfOperator(first) === "infix") first.attributes.lspace = NONE;
}

function styleInside({ type, attributes }, number, style) {
  if (attributes?.scriptlevel > 0) return SCRIPT;
  if (attributes?.displaystyle) return attributes.displaystyle === "true" ? DISPLAY : TEXT;
  if (type === "mfrac") return Math.max(style - 1, SCRIPT);
  if (type === "mtable") return Math.min(style, TEXT);
  return SCRIPTED.has(type) && number > 0 ? SCRIPT : style;
}

function spaceRow(children, style) {
  groupNames(children);
  leadNames(children);
  const atoms = children.filter(child => !isSpace(child));
  atoms.forEach((atom, i) => {
    const found = operator(atom);
    if (found && atoms.length > 1) setSpaces(found, kind(atoms[i - 1]), kind(atoms[i + 1]), style);
  });
}

const isSpace = ({ type, children }) => type === "mspace" || (type === "mtext" && !children[0]?.text?.trim());

/** Names with their ⁡ as one node: behind a bare one Firefox adds a thin space to Temml's. */
function groupNames(children) {
  for (let i = children.length - 1; i > 0 && children.length > 2; i--)
    if (signOf(children[i]) === OF) {
      const pair = children.slice(i - 1, i + 1);
      children.splice(i - 1, 2, new pair[1].constructor("mrow", pair));
    }
}

/** Thin space before names behind what ends, which Temml leaves out behind brackets, indices and fractions. */
function leadNames(children) {
  for (let i = children.length - 1; i > 0; i--) {
    const [before, name] = [children[i - 1], children[i]];
    if (!isName(name) || isSpace(before) || isSpace(name.children[0]) || !ends(before)) continue;
    const space = new name.constructor("mspace");
    space.setAttribute("width", THIN);
    children.splice(i, 0, space);
  }
}

const isName = ({ type, children }) => type === "mrow" && signOf(children.findLast(child => !isSpace(child)) ?? {}) === OF;

/** Whether something ends with a node; of a large bar without a form nobody knows. */
function ends(node) {
  const { fence, form } = operator(node)?.attributes ?? {}, what = kind(node);
  return ENDS.includes(what) && (what === "close" || !fence || form === "postfix");
}

/** The spaces of one operator, given the classes of what stands before and behind it. */
function setSpaces(operator, before, behind, style) {
  const { attributes } = operator, own = kindOfOperator(operator);
  if (own === "large" || own === "inner") {
    const held = own === "large" ? ["ordinary", "large", "inner"] : ["ordinary", "open", "bracket", "punctuation"];
    attributes.lspace = ENDS.includes(before) ? THIN : NONE;
    attributes.rspace = held.includes(behind) ? THIN : NONE;
  } else if (SIGNS.includes(signOf(operator)) && before !== "none" && !ENDS.includes(before)) {
    attributes.form = "prefix";
  } else if (style === SCRIPT && ["infix", "punctuation"].includes(own)) {
    attributes.lspace = attributes.rspace = NONE;
  }
}

const signOf = node => (node.type === "mo" && node.children[0]?.text) || "none";

/** The <mo> that a node is, apart from its indices and limits; or nothing. */
function operator(node) {
  if (node.type === "mo") return node;
  const wraps = SCRIPTED.has(node.type) || (node.type === "mrow" && node.children.length === 1);
  return wraps ? operator(node.children[0]) : null;
}

/** What TeX calls the class of an atom. */
function kind(node) {
  if (!node) return "none";
  if (isName(node)) return "large";
  if (node.type === "mrow" && node.children.length > 1) return kindOfRow(node.children);
  const found = operator(node);
  return found ? kindOfOperator(found) : "ordinary";
}

/** Brackets that do not grow are what TeX sees of them first. */
function kindOfRow(children) {
  const { form, stretchy } = children[0].attributes ?? {};
  return form === "prefix" && stretchy === "false" && OPENING.includes(signOf(children[0])) ? "bracket" : "ordinary";
}

function kindOfOperator({ attributes, children: [{ text }] }) {
  if ("movablelimits" in attributes) return "large";
  if (attributes.separator) return "punctuation";
  if (OPENING.includes(text)) return "open";
  if (CLOSING.includes(text)) return "close";
  if (DOTS.includes(text)) return "inner";
  return attributes.fence || (attributes.form && !SIGNS.includes(text)) ? "ordinary" : "infix";
}
