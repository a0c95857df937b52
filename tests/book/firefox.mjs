// Firefox, driven by Puppeteer: commands come in as lines of JSON, [kind, ...what is given], answers go out.
// Arguments: a package.json beside whose packages Puppeteer is, the browser's path.
// Each answer brings what the page complained of and asked for since the last.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [packages, executablePath] = process.argv.slice(2);
const puppeteer = createRequire(packages)("puppeteer-core").default;
const options = { browser: "firefox", executablePath, defaultViewport: null, protocolTimeout: 180_000 }; // Python of the page starts
const browser = await puppeteer.launch(options);
const page = await browser.newPage();

/** Puppeteer turns the screen, too, which a Firefox of an extended release does not know yet. */
const resize = (width, height) => page.setViewport({ width, height }).catch(error => {
  if (!error.message.includes("setScreenOrientationOverride")) throw error;
});
await resize(1280, 800);

let errors = [], requests = [];
page.on("console", said => ["error", "warn"].includes(said.type()) && errors.push(said.text()));
page.on("pageerror", error => errors.push(error.message));
page.on("request", request => requests.push(request.url()));

const commands = {
  heard: () => null,
  open: async address => {
    await page.goto(address, { timeout: 180_000 });
    await page.evaluate("document.fonts.ready.then(() => null)");
  },
  evaluate: (given, argument) => page.evaluate(`(${given})(${JSON.stringify(argument)})`),
  press: key => page.keyboard.press(key),
  type: text => page.keyboard.type(text),
  click: place => page.mouse.click(...place),
  resize,
  drag: async (start, end) => {
    await page.mouse.move(...start);
    await page.mouse.down();
    await page.mouse.move(...end);
    await page.mouse.up();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [kind, ...given] = JSON.parse(line), told = {};
  try {
    told.answer = (await commands[kind](...given)) ?? null;
  } catch (error) {
    told.broke = error.message;
  }
  console.log(JSON.stringify({ ...told, errors, requests }));
  [errors, requests] = [[], []];
}
await browser.close();
