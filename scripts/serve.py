"""`make serve`: the site on the loopback, built again and reloaded when a source changes."""

import functools
import http.server
import subprocess
import sys
import threading
import time
import webbrowser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
WATCHED = ["*.md", "_*.yml", "chapters/*.md", "book/**/*", "lib/margins/**/*"]
RELOADER = b"""let seen; setInterval(async () => {
  const now = await fetch("/__built").then(r => r.text(), () => seen);
  if (seen && now !== seen) location.reload(); seen = now; }, 800);"""


def newest_change():
    files = (file for pattern in WATCHED for file in ROOT.glob(pattern))
    return max(file.stat().st_mtime for file in files if file.is_file() and "node_modules" not in file.parts)


class Handler(http.server.SimpleHTTPRequestHandler):
    """The site's files; pages get one more script, from this server, as their security policy asks."""

    built = str(time.time())

    def do_GET(self):
        if self.path == "/__built":
            return self.answer(self.built.encode(), "text/plain")
        if self.path == "/__reload.js":
            return self.answer(RELOADER, "text/javascript")
        page = Path(self.translate_path(self.path))
        page = page / "index.html" if page.is_dir() else page
        if page.suffix == ".html" and page.is_file():
            script = b'<script defer src="/__reload.js"></script></head>'
            return self.answer(page.read_bytes().replace(b"</head>", script, 1), "text/html; charset=utf-8")
        return super().do_GET()

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Quiet: the terminal belongs to the builds."""


def rebuild_on_change():
    last = newest_change()
    while True:
        time.sleep(1)
        if (now := newest_change()) > last:
            last = now
            subprocess.run([sys.executable, ROOT / "scripts" / "build.py"])
            Handler.built = str(time.time())


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 8000), functools.partial(Handler, directory=SITE))
    threading.Thread(target=rebuild_on_change, daemon=True).start()
    print("Reading at http://127.0.0.1:8000/ - stop with Ctrl+C", flush=True)
    webbrowser.open("http://127.0.0.1:8000/")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
