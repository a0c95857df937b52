// One formula a line in, one answer a line out: {tex, display} -> {html} or {error}.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const temml = createRequire(process.argv[2])("temml");
const macros = JSON.parse(process.argv[3]);

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: temml.renderToString(tex, { displayMode: display, macros: { ...macros }, throwOnError: true, strict: true }) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
