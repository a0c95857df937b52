// The state of Python after its start, kept in this browser, so that the next page need not start it anew.
//
// It is made before any code of the reader runs, and belongs to one set of files and one browser. What is kept
// is compared with its digest: Pyodide waits for ever for a state that it cannot wake.

const STORE = "python in the page";

/** The kept state is not what was kept. */
export class Damaged extends Error {}

const hexadecimal = buffer => [...new Uint8Array(buffer)].map(byte => byte.toString(16).padStart(2, "0")).join("");
const digest = async bytes => hexadecimal(await crypto.subtle.digest("SHA-256", bytes));

export class Snapshots {
  /** Those for the files of `version` in this browser; null if nothing can be kept. */
  static async open(base, version) {
    const store = await globalThis.caches?.open(STORE).catch(() => null);
    return store && globalThis.crypto?.subtle ? new Snapshots(store, base, version) : null;
  }

  constructor(store, base, version) {
    this.store = store;
    this.base = base;
    this.key = `${base}snapshot-${version}-${navigator.userAgent.replace(/\W+/g, "")}`;
  }

  /** The kept state, or null. */
  async read() {
    const kept = await this.store.match(this.key).catch(() => null);
    if (!kept) return null;
    const bytes = await kept.arrayBuffer().catch(() => new ArrayBuffer(0));
    if ((await digest(bytes)) !== kept.headers.get("x-sha256")) throw new Damaged();
    return new Uint8Array(bytes);
  }

  /** Keeps a state in place of those of earlier versions; a full disk is no error. */
  async write(bytes) {
    try {
      for (const old of await this.store.keys()) if (old.url.startsWith(this.base)) await this.store.delete(old);
      await this.store.put(this.key, new Response(bytes, { headers: { "x-sha256": await digest(bytes) } }));
    } catch { /* the next page starts Python as this one did */ }
  }

  /** Throws away what is kept. */
  forget() {
    return this.store.delete(this.key).catch(() => {});
  }
}
