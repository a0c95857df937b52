"""`make serve`: the site on a local server, built again and reloaded when a source changes."""

import subprocess
import sys
import time
import webbrowser
from pathlib import Path

from scripts.serving import QuietHandler, serve

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
PORT = 8000
WATCHED = ["*.md", "_*.yml", "chapters/*.md", "stories/*.md", "book/**/*", "lib/*/**/*"]
RELOADER = b"""let seen; setInterval(async () => {
  const now = await fetch("/__built").then(r => r.text(), () => seen);
  if (seen && now !== seen) location.reload(); seen = now; }, 800);"""


def newest_change():
    """When a source was changed last; compiled Python and npm's files are no sources."""
    files = (file for pattern in WATCHED for file in ROOT.glob(pattern))
    sources = (file for file in files if not {"node_modules", "__pycache__"} & set(file.parts))
    return max(file.stat().st_mtime for file in sources if file.is_file())


class ReloadingHandler(QuietHandler):
    """The site's files; pages get one more script, from this server, as their security policy asks."""

    built = str(time.time())

    def do_GET(self):  # noqa: N802 - the name that the server calls
        if self.path == "/__built":
            return self.send_body(self.built.encode(), "text/plain")
        if self.path == "/__reload.js":
            return self.send_body(RELOADER, "text/javascript")
        page = Path(self.translate_path(self.path))
        page = page / "index.html" if page.is_dir() else page
        if page.suffix == ".html" and page.is_file():
            script = b'<script defer src="/__reload.js"></script></head>'
            return self.send_body(
                page.read_bytes().replace(b"</head>", script, 1), "text/html; charset=utf-8"
            )
        return super().do_GET()


def rebuild_on_change():
    """Builds the site whenever a source has changed, until Ctrl+C."""
    last = newest_change()
    while True:
        time.sleep(1)
        if (now := newest_change()) > last:
            last = now
            subprocess.run([sys.executable, ROOT / "scripts" / "build.py"])
            ReloadingHandler.built = str(time.time())


def main():
    with serve(SITE, ReloadingHandler, PORT) as address:
        print(f"Reading at {address}/ - stop with Ctrl+C", flush=True)
        webbrowser.open(f"{address}/")
        try:
            rebuild_on_change()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
