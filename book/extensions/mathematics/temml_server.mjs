// One formula a line in, one answer a line out: {tex, display} -> {html} or {error}.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { space } from "./temml_spacing.mjs";

const temml = createRequire(process.argv[2])("temml");
const macros = JSON.parse(process.argv[3]);
const bounds = JSON.parse(process.argv[4] ?? "{}"); // for formulas of strangers: Temml's maxExpand and maxSize

const BETWEEN_NUMBERS = /(?<=\d),(?=\d)/g; // Temml takes 0,1 for one number
const LONG = 30; // characters of TeX: an inline formula beyond may have to break on a phone

/** MathML of a formula; a long one in the text is several <math>, between which lines may break. */
function render(tex, display) {
  const breaks = !display && tex.length > LONG;
  const options = { ...bounds, displayMode: display, macros: { ...macros }, throwOnError: true, strict: true, trust: false };
  const tree = temml.__renderToMathMLTree(tex.replace(BETWEEN_NUMBERS, ", "), breaks ? { ...options, wrap: "tex" } : options);
  space(tree);
  const html = tree.toMarkup();
  return breaks ? separate(html) : html;
}

/** The rows of which `html` consists, each in a <math> of its own; what is inside a fraction stays there. */
function separate(html) {
  let depth = 0;
  return html.replace(/<(\/?)[a-z]+[^>]*>(?=(<mrow)?)/g, (tag, closing, next) => {
    depth += closing ? -1 : 1;
    return tag === "</mrow>" && depth === 1 && next ? `${tag}</math><wbr><math>` : tag;
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: render(tex, display) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
