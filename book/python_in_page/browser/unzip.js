// The files of a zip archive.

const END = 0x06054b50, STORED = 0;

/** The files of an archive as pairs [name, bytes]. */
export async function unzip(buffer) {
  return Promise.all(entries(new DataView(buffer)).map(async ({ name, method, start, size }) => {
    const packed = new Uint8Array(buffer, start, size);
    return [name, method === STORED ? packed : await inflated(packed)];
  }));
}

async function inflated(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What the archive's directory says of each file. */
function entries(view) {
  let end = view.byteLength - 22;
  while (view.getUint32(end, true) !== END) end--;
  const found = [], names = new TextDecoder();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left; left--) {
    const [name, extra, comment] = [28, 30, 32].map(offset => view.getUint16(at + offset, true));
    const local = view.getUint32(at + 42, true);
    const entry = {
      name: names.decode(new Uint8Array(view.buffer, at + 46, name)),
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 20, true),
      start: local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true),
    };
    if (!entry.name.endsWith("/")) found.push(entry);
    at += 46 + name + extra + comment;
  }
  return found;
}
