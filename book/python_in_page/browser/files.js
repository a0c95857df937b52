// Where the files are: beside the folder of these scripts, by the names that index.json lists.

export const address = (name, base = new URL("../", import.meta.url)) => new URL(name, base).href;

/** A file that is asked for anew from the host, or as it was kept if the host cannot be reached. */
async function newest(url) {
  try {
    return await fetch(url, { cache: "no-cache" });
  } catch {
    return fetch(url, { cache: "force-cache" });
  }
}

/** The answer to a request as JSON, or an error that says what could not be fetched. */
async function json(answering) {
  const answer = await answering;
  if (!answer.ok) throw Error(`${answer.url} could not be fetched (HTTP ${answer.status})`);
  return answer.json();
}

let listed, chapter;

/** The list of all files; asked for once a page, again after a failure. */
export const index = () => (listed ??= json(newest(address("index.json"))).catch(reason => ((listed = undefined), Promise.reject(reason))));

/** What the page needs to know of its chapter. */
export function chapterData() {
  const name = location.pathname.split("/").at(-1).replace(/\.html$/, "");
  chapter ??= index()
    .then(({ chapters }) => json(fetch(address(chapters[name]), { cache: "force-cache" })))
    .catch(reason => ((chapter = undefined), Promise.reject(reason)));
  return chapter;
}
