// One formula a line in, one answer a line out: {tex, display, pointing} -> {html} or {error}.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { lines } from "./temml_lines.mjs";
import { raiseRoots } from "./temml_roots.mjs";
import { leadTight, space } from "./temml_spacing.mjs";

const temml = createRequire(process.argv[2])("temml");
const macros = JSON.parse(process.argv[3]);
const bounds = JSON.parse(process.argv[4] ?? "{}"); // for formulas of strangers: Temml's maxExpand and maxSize

const BETWEEN_NUMBERS = /(?<=\d),(?=\d)/g; // Temml takes 0,1 for one number
const BREAK = "<wbr>"; // where a line may end
const OPENED = /<mo[^>]*>[([{⟨]<\/mo>$/; // what no line ends with
// What browsers know of commas and of brackets, in whatever place they stand; other signs need their forms.
const KNOWN = / (?:fence|separator)="true"/g, BRACKET = /(<mo[^>]*?) form="(?:prefix|postfix)"([^>]*>[()[\]{}⟨⟩]<)/g;
const LONG = 30; // characters of TeX: an inline formula beyond may have to break on a phone

/** MathML of a formula; a long one is several <math>, between which lines may break. One with symbols that point at a
    figure may give them data, which Temml otherwise refuses. */
function render(tex, display, pointing) {
  const breaks = !display && tex.length > LONG;
  const options = { ...bounds, displayMode: display, macros: { ...macros }, throwOnError: true, strict: !pointing, trust: ({ command }) => pointing && command === "\\data" };
  const tree = temml.__renderToMathMLTree(tex.replace(BETWEEN_NUMBERS, ", "), breaks ? { ...options, wrap: "tex" } : options);
  space(tree);
  leadTight(tree);
  raiseRoots(tree);
  if (display) return lines(tree);
  return breaks ? separate(tree.toMarkup()) : tree.toMarkup();
}

/** The rows of which `html` consists, each in a <math> of its own; what is inside a fraction stays there. */
function separate(html) {
  let depth = 0;
  return html.replace(/<(\/?)[a-z]+[^>]*>(?=(<mrow)?)/g, (tag, closing, next, place) => {
    depth += closing ? -1 : 1;
    const ends = tag === "</mrow>" && depth === 1 && next && !OPENED.test(html.slice(0, place));
    return ends ? `${tag}</math>${BREAK}<math>` : tag;
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display, pointing } = JSON.parse(line);
  let answer;
  try {
    answer = { html: render(tex, display, pointing).replace(KNOWN, "").replace(BRACKET, "$1$2") };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
