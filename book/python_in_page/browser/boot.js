// Starts Pyodide with NumPy and the book's library, or wakes the state that an earlier page has kept.

import { Damaged, Snapshots } from "./snapshot.js";
import { unzip } from "./unzip.js";

const SITE = "/lib/python3.13/site-packages/";
const HEAVY = ["pyodide.asm.wasm", "python_stdlib.zip"]; // fetched ahead, to tell how far they are
// what chapters import: it is loaded once, and is there when a kept state wakes
const LOAD = `
import importlib
importlib.invalidate_caches()
import in_page.missing
in_page.missing.install()
import numpy, numpy.fft, numpy.linalg, numpy.ma, numpy.polynomial, numpy.random, numpy.lib.recfunctions
import in_page.singular
in_page.singular.install()
import contourpy, scipy.linalg.lapack, scipy.optimize, scipy.spatial, scipy.special, scipy.stats
import csv, fractions, functools, html, inspect, itertools, json, linecache, traceback, warnings
import explorable, explorable.markup, explorable.style, margins.attention, margins.attention_svm, margins.descent
import margins.kernels, margins.random_features, margins.softmax_kernel, margins.svm, margins_book.drawing
import in_page.requests
import gc
gc.collect()
`;
const WAKE = "import importlib, random; importlib.invalidate_caches(); random.seed()";

/** Pyodide, ready for `in_page.requests`, and whether a kept state woke; `say` hears {progress, share} and {waking}. */
export async function boot({ files, base, forget }, say) {
  const home = `${base}${files.pyodide}/`;
  const snapshots = await Snapshots.open(base, files.runtime);
  if (forget) await snapshots?.forget();
  const kept = await snapshots?.read();
  say({ progress: kept ? "Waking Python" : "Fetching Python and NumPy, 9 MB the first time", share: 0.02 });
  const fetched = await fetchAll(base, home, files, kept, say);
  const contents = (await Promise.all(fetched.archives.map(unzip))).flat();
  preload(contents.filter(([name]) => name.endsWith(".so")));
  if (kept) say({ waking: true });
  else say({ progress: "Starting Python", share: 0.7 });
  const pyodide = await load(fetched.loadPyodide, home, kept, Boolean(snapshots));
  writeFiles(pyodide, contents);
  if (kept) pyodide.runPython(WAKE);
  else {
    say({ progress: "Loading the book's library", share: 0.85 });
    pyodide.runPython(LOAD);
  }
  if (snapshots && !kept) await snapshots.write(pyodide.makeMemorySnapshot()); // before a loop without end can stop it
  return { pyodide, woken: Boolean(kept) };
}

/** The archives, and Pyodide's own scripts; on a first visit what else is heavy is fetched with them. */
async function fetchAll(base, home, files, kept, say) {
  const counted = kept ? () => {} : counter(say);
  const ahead = kept ? [] : HEAVY.map(name => bytes(home + name, counted));
  const [{ loadPyodide }, , ...archives] = await Promise.all([
    import(`${home}pyodide.mjs`), import(`${home}pyodide.asm.js`),
    ...files.archives.map(name => bytes(base + name, counted)), ...ahead,
  ]);
  return { loadPyodide, archives: archives.slice(0, files.archives.length) };
}

const EXPECTED = 14_300_000; // bytes of what is counted

/** What is told how many bytes have come, and says their share. */
function counter(say) {
  let come = 0;
  return more => {
    come += more;
    say({ progress: "Fetching Python and NumPy, 9 MB the first time", share: 0.02 + 0.6 * Math.min(1, come / EXPECTED) });
  };
}

async function bytes(url, counted) {
  const answer = await fetch(url, { cache: "force-cache" }); // the name changes with the content
  if (!answer.ok) throw Error(`${url} could not be fetched (HTTP ${answer.status})`);
  const parts = [];
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    counted(value.length);
  }
}

/** Compiled libraries are loaded before Python starts, always in this order: so they lie where a kept state
    expects them. */
function preload(libraries) {
  const create = globalThis._createPyodideModule;
  globalThis._createPyodideModule = settings => {
    settings.preRun.unshift(async module => {
      module.addRunDependency("libraries");
      for (const [name, content] of libraries) {
        const options = { loadAsync: true, nodelete: true };
        module.preloadedWasm[SITE + name] = await module.loadWebAssemblyModule(content, options, SITE + name, {});
        module.loadDynamicLibrary(SITE + name, { global: false, nodelete: true }, {});
      }
      module.removeRunDependency("libraries");
    });
    return create(settings);
  };
}

async function load(loadPyodide, home, kept, keeps) {
  const settings = { indexURL: home, checkIntegrity: false };
  if (!kept) return loadPyodide({ ...settings, _makeSnapshot: keeps });
  try {
    return await loadPyodide({ ...settings, _loadSnapshot: kept });
  } catch {
    throw new Damaged(); // of another version of the browser, perhaps
  }
}

/** Writes the modules where Python finds them; the compiled ones are loaded already. */
function writeFiles({ FS }, contents) {
  const folders = new Set();
  for (const [name, content] of contents) {
    const folder = SITE + name.slice(0, name.lastIndexOf("/"));
    if (!folders.has(folder)) FS.mkdirTree(folder);
    folders.add(folder);
    FS.writeFile(SITE + name, name.endsWith(".so") ? new Uint8Array() : content);
  }
}
