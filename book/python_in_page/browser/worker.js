// The worker in which Python runs: it starts Pyodide, then answers requests, one after the other.

import { boot } from "./boot.js";
import { Damaged } from "./snapshot.js";
import { seal } from "./seal.js";

let python;

const say = text => postMessage({ output: text });

async function start(request) {
  try {
    const { pyodide, woken } = await boot(request, message => postMessage(message));
    python = pyodide.pyimport("in_page.requests");
    seal();
    postMessage({ ready: true, woken });
  } catch (reason) {
    if (reason instanceof Damaged) postMessage({ damaged: true });
    else postMessage({ failed: `Python did not start: ${reason.message}` });
  }
}

function answer({ id, kind, asked }) {
  try {
    postMessage({ id, answer: python.answer(kind, asked, say) });
  } catch (reason) {
    postMessage({ id, failed: `Python broke off: ${reason.message.trim().split("\n").at(-1)}` });
  }
}

addEventListener("message", ({ data }) => (data.boot ? start(data.boot) : answer(data)));
