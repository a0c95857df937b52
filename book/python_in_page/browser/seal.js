// Closes the worker before a reader's code runs in it: no network, no storage, no way to compile a script.
//
// A worker does not inherit the page's content security policy, and code that somebody was sent to try may
// want more than to be checked. Python reaches JavaScript through Pyodide, so the doors are closed there.

const DOORS = [
  "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "EventSource", "WebTransport", "Worker", "SharedWorker",
  "importScripts", "FontFace", "fonts", "caches", "indexedDB", "BroadcastChannel", "cookieStore", "Notification",
];
const OF_NAVIGATOR = ["serviceWorker", "storage", "locks", "sendBeacon", "usb", "serial", "hid", "gpu"];

/** The object and all that it inherits from. */
function* line(object) {
  for (let at = object; at; at = Object.getPrototypeOf(at)) yield at;
}

function remove(object, name) {
  for (const at of line(object)) if (Object.hasOwn(at, name)) delete at[name];
  if (name in object) Object.defineProperty(object, name, { value: undefined });
}

function refuse() {
  throw Error("this is closed in the page");
}

/** Replaces what compiles text: eval, the constructors of functions, timers that take text. */
function closeCompilers() {
  const kinds = [function () {}, async function () {}, function* () {}, async function* () {}];
  for (const { __proto__: prototype } of kinds) Object.defineProperty(prototype, "constructor", { value: refuse });
  refuse.prototype = Function.prototype; // `instanceof Function` stays true of functions
  Object.defineProperty(globalThis, "Function", { value: refuse });
  Object.defineProperty(globalThis, "eval", { value: refuse });
  for (const name of ["setTimeout", "setInterval"]) {
    const timer = globalThis[name].bind(globalThis);
    remove(globalThis, name);
    Object.defineProperty(globalThis, name, { value: (call, ...rest) => (typeof call === "function" ? timer(call, ...rest) : refuse()) });
  }
}

/** Closes all doors, for good. */
export function seal() {
  for (const name of DOORS) remove(globalThis, name);
  for (const name of OF_NAVIGATOR) remove(navigator, name);
  closeCompilers();
}
