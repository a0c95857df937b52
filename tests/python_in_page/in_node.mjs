// Python of the page in node: started by the page's own script from the files of the built site.
// Standard input: JSON of {folder, requests}, each request [kind, asked]. Each answer is a line of JSON.
// The kind "execute" is of the tests alone: `asked.code` is executed, and its `answer(asked)` called.

import fs from "node:fs";
import { createRequire } from "node:module";

globalThis.fetch = async url => new Response(fs.readFileSync(url)); // which is a path here
globalThis.require = createRequire(import.meta.url);
const { folder, requests } = JSON.parse(fs.readFileSync(0, "utf8"));
const base = `${folder}/`, files = JSON.parse(fs.readFileSync(`${folder}/index.json`, "utf8"));
globalThis.__dirname = `${folder}/${files.pyodide}/`;
const { boot } = await import(new URL("../../book/python_in_page/browser/boot.js", import.meta.url));
const { pyodide } = await boot({ files, base, forget: false }, () => {});
const python = pyodide.pyimport("in_page.requests");

function execute(asked) {
  const space = pyodide.toPy({});
  pyodide.runPython(asked.code, { globals: space });
  return space.get("answer")(JSON.stringify(asked));
}

for (const [kind, asked] of requests) {
  let printed = "", answer;
  const began = performance.now();
  try {
    answer = JSON.parse(kind === "execute" ? execute(asked) : python.answer(kind, JSON.stringify(asked), text => (printed += text)));
  } catch (reason) {
    answer = { broke: reason.message };
  }
  const took = (performance.now() - began) / 1000;
  fs.writeSync(1, `${JSON.stringify({ ...answer, printed, took })}\n`);
}
process.exit(0);
