// Where a figure's frames come from: a table that the page fetches, or a running kernel. A source has
//   waiting          the note when an answer takes longer than PATIENCE
//   ready(at, rest)  the frame at positions `at`, if it is there at once; between grid positions only if not `rest`
//   get(at)          a promise of it; of null if a newer request took its place
//   close()          ends it with the figure
// A frame is {panels, marks, text} or {error}; `at` has a position along the grid for each parameter.

import { valueAt } from "./positions.js";
import { decode, frameAt } from "./table.js";

export const PATIENCE = 3000; // milliseconds

const tables = new Map(); // by address: copies of a figure share one

/** The table at an address, decoded once; one that stands in the page itself, #name, is not fetched. */
function tableAt(address) {
  if (!tables.has(address)) {
    const table = (address.startsWith("#") ? inPage(address) : fetched(address)).then(decode);
    table.catch(() => tables.delete(address)); // the next move tries again
    tables.set(address, table);
  }
  return tables.get(address);
}

const inPage = async address => JSON.parse(document.querySelector(address).textContent);

async function fetched(address) {
  const answer = await fetch(new URL(address, document.baseURI));
  if (!answer.ok) throw Error(`HTTP ${answer.status}`);
  return answer.json();
}

/** Frames computed at build time. */
export class BakedSource {
  waiting = "The positions of this figure are still on their way.";
  addressed = globalThis.location?.protocol !== "about:"; // a frame's srcdoc has no address of its own

  constructor(spec, address) {
    this.spec = spec;
    this.address = address;
  }

  load() {
    return tableAt(this.address)
      .then(table => (this.table = table))
      .catch(reason => {
        throw Error(`This figure could not load its positions (${reason.message}); it stays as it is.`);
      });
  }

  ready(at, rest) {
    return this.table && frameAt(this.table, this.spec.parameters.map(p => at[p.name]), rest);
  }

  async get(at) {
    this.newest = at;
    await this.load();
    return this.newest === at ? this.ready(at, true) : null;
  }

  close() {}
}

/** A live kernel: continuous values. One request in flight; of those that wait only the newest is sent. */
export class KernelSource {
  waiting = "No answer from the kernel yet: it is busy, or it is not running and the cell must be run again.";
  continuous = true;
  view = Math.random();
  count = 0;

  constructor(spec, model) {
    this.spec = spec;
    this.model = model;
    this.listen = message => this.answered(message);
    model.on("msg:custom", this.listen);
  }

  ready() {}

  get(at) {
    const values = Object.fromEntries(this.spec.parameters.map(p => [p.name, valueAt(p, at[p.name])]));
    return new Promise((resolve, reject) => {
      const request = { values, resolve, reject };
      const lost = this.flight && performance.now() - this.flight.sent > PATIENCE;
      this.next?.resolve(null);
      this.next = undefined;
      if (this.flight && !lost) return (this.next = request);
      this.flight?.resolve(null);
      return this.send(request);
    });
  }

  send(request) {
    this.flight = Object.assign(request, { id: [this.view, ++this.count], sent: performance.now() });
    try {
      this.model.send({ id: request.id, values: request.values });
    } catch (reason) {
      this.flight = undefined;
      request.reject(Error(`The kernel cannot be reached (${reason.message}).`));
    }
  }

  answered({ id, frame, error }) {
    if (!this.flight || id?.[0] !== this.view || id[1] !== this.flight.id[1]) return;
    const [{ resolve }, next] = [this.flight, this.next];
    this.flight = this.next = undefined;
    if (next) this.send(next);
    resolve(frame ?? { error });
  }

  close() {
    this.model.off("msg:custom", this.listen);
  }
}
