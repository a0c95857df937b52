"""A page under watch: what stands in it and may not, what it does when everything in it is used, who calls.

(The texts that are shown in it are in hostile_text.py.)
"""

import contextlib
import threading
from http.server import ThreadingHTTPServer
from socketserver import StreamRequestHandler
from types import SimpleNamespace

from playwright.sync_api import Error


@contextlib.contextmanager
def listening():
    """A server of this machine that remembers what it was asked for while the block runs."""
    heard = []

    class Answer(StreamRequestHandler):
        def handle(self):
            if asked := self.rfile.readline():
                heard.append(asked.decode("latin-1"))
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield SimpleNamespace(port=server.server_port, heard=heard)
    server.shutdown()
    server.server_close()


FORBIDDEN = r"""own => {
  const loads = `script iframe object embed link base form input button svg audio video source area template
    dialog maction annotation-xml mglyph foreignobject frame frameset`.split(/\s+/);
  const addresses =
    "href src srcset action formaction ping data poster background xlink:href cite".split(" ");
  const picture = "data:image/png;base64,";
  const isOwn = value => [picture, ...own.addresses].some(beginning => value.startsWith(beginning));
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    const tag = element.localName.toLowerCase();
    if (loads.includes(tag) && !own.elements.includes(tag)) found.push(`<${tag}>`);
    for (const {name, value} of element.attributes) {
      const runs = name.startsWith("on") || name === "style" || name === "srcdoc";
      const leads = addresses.includes(name) && !isOwn(value);
      const names = (name === "id" || name === "name") && element.closest(own.within);
      if (runs || leads || names) found.push(`<${tag} ${name}=${value}>`);
    }
  }
  if (document.createTreeWalker(document, NodeFilter.SHOW_COMMENT).nextNode()) found.push("a comment");
  return [...new Set(found)];
}"""
USE = """own => {
  for (const element of document.querySelectorAll("body *")) {
    const address = element.closest("a")?.getAttribute("href");
    if (address && own.addresses.some(a => address.startsWith(a))) continue;
    for (const type of ["mouseover", "mousedown", "focusin", "mouseup", "click"])
      element.dispatchEvent(new MouseEvent(type, {bubbles: true, cancelable: true, view: window}));
  }
}"""
PAGES_OWN = ("#exercise-", "https://")


def what_happened(browser, address, listener, *, addresses=PAGES_OWN, elements=(), within=".answer"):
    """What a page contains that it may not, and what it did when everything in it was used.

    Our own addresses (by their beginnings) and elements may stand there. Within the parts that the selector
    `within` finds, no element may have a name that scripts or links use.
    """
    own = {"addresses": list(addresses), "elements": list(elements), "within": within}
    context = browser.new_context()
    page, happened = context.new_page(), []
    page.on("dialog", lambda dialog: (happened.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("popup", lambda popup: happened.append(f"popup {popup.url}"))
    page.on("request", lambda request: happened.append(request.url))
    heard = len(listener.heard)
    page.goto(address)
    title, opened, found = page.title(), page.url, ["the page went elsewhere at once"]
    with contextlib.suppress(Error):
        found = page.evaluate(FORBIDDEN, own)
    with contextlib.suppress(Error):  # a page that leaves while it is used
        page.evaluate(USE, own)
        page.wait_for_load_state("networkidle")
    if page.url.partition("#")[0] != opened:
        happened.append(f"the page went to {page.url}")
    elif page.title() != title or page.evaluate("'stolen' in window"):
        happened.append("a script ran")
    asked = [url for url in happened if url != opened and not url.startswith("data:image/png;base64,")]
    context.close()
    return found + asked + listener.heard[heard:]
