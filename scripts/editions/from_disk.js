// The first script of every page of the offline edition, after SystemJS, which loads the book's modules there.
//
// If a server sends the page, modules are the browser's own, and nothing else is changed. A browser that opens a
// page from a disk refuses modules and `fetch`, but runs plain scripts. So beside each file that scripts of the
// book load lies a script that hands it over (scripts/editions/from_disk.py).
{
  const loader = System.constructor.prototype;
  loader.resolve = (address, parent = document.baseURI) => new URL(address, parent).href;
  if (location.protocol === "file:") openFromDisk(loader);
  else loader.instantiate = async address => [[], asItIs(await import(address))];

  /** How SystemJS wants a module to be declared that the browser has loaded. */
  function asItIs(module) {
    return put => ({ execute: () => void put(module) });
  }

  function openFromDisk(loader) {
    const { createScript } = loader, loading = new Map(), handed = new Map();
    globalThis.Worker = undefined; // starts no script from a disk; Pagefind then works without
    loader.createScript = address => createScript(`${fileOf(address)}.js`);

    /** What the scripts beside files call: each file by its name relative to the script, a text or {base64}. */
    globalThis.handOver = files => {
      const { src } = document.currentScript;
      for (const [name, content] of Object.entries(files)) handed.set(new URL(name, src).href, content);
    };

    /** Runs the script at an address, once. */
    function run(address) {
      if (!loading.has(address)) loading.set(address, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.onload = resolve;
        script.onerror = () => reject(TypeError(`${address} could not be read: is the archive unpacked whole?`));
        script.src = address;
        document.head.append(script);
      }));
      return loading.get(address);
    }

    globalThis.fetch = async address => {
      const file = fileOf(address);
      await run(handingOver(file));
      const content = handed.get(file);
      return content === undefined ? new Response(null, { status: 404 }) : new Response(content.base64 ? bytes(content.base64) : content);
    };
  }

  /** The file at an address, without what stands behind its name. */
  function fileOf(address) {
    const file = new URL(address, document.baseURI);
    file.search = file.hash = "";
    return file.href;
  }

  /** The script that hands over a file: its own, or the one for the whole index of the search. */
  function handingOver(file) {
    const index = file.match(/^.*\/_static\/search\//);
    return index ? `${index[0]}all.js` : `${file}.js`;
  }

  function bytes(base64) {
    return Uint8Array.from(atob(base64), sign => sign.charCodeAt(0));
  }
}
