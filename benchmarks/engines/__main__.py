"""Builds the figure by each engine, opens it in Chromium, and writes the table of the gallery's page."""

import datetime
import gzip
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS, program
from scripts.serving import serve

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "book" / "library" / "gallery.md"
PLACE = re.compile(r"(?<=^% engines\n)(.*?)(?=^% end of engines$)", re.M | re.S)
# marimo-book starts Python for each value: compiled once, as a user's packages are
COMPILED = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "UV_COMPILE_BYTECODE": "1"}
PANEL, MARIMO = ("panel==1.9.4",), ("marimo-book==0.1.48", "matplotlib==3.11.2")
BOOK = """title: The bell
toc:
  - file: content/bell.py
precompute: {enabled: true, max_seconds_per_page: 7200}
"""


def run(*command: str | Path, packages: tuple[str, ...] = (), cwd: Path | None = None) -> float:
    """The seconds of processor time that a command takes, in an environment with these packages."""
    with_packages = [word for package in packages for word in ("--with", package)]
    uv = [sys.executable, "-m", "uv", "run", "--no-project", *with_packages] if packages else []
    if packages:  # installed before the clock starts
        subprocess.run([*uv, "python", "-c", "pass"], check=True, env=COMPILED)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*uv, *command], check=True, cwd=cwd, env=COMPILED)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_explorable(folder: Path) -> tuple[str, float]:
    return "index.html", run(sys.executable, HERE / "with_explorable.py", folder / "index.html")


def by_panel(folder: Path, *words: str) -> tuple[str, float]:
    script, file = HERE / "with_panel.py", folder / "index.html"
    return "index.html", run("python", script, file, *words, packages=PANEL)


def by_marimo(folder: Path) -> tuple[str, float]:
    (folder / "content").mkdir()
    (folder / "book.yml").write_text(BOOK)
    shutil.copy(HERE / "with_marimo.py", folder / "content" / "bell.py")
    seconds = run("marimo-book", "build", packages=MARIMO, cwd=folder)
    pages = [
        folder / "_site" / name for name in ("bell/index.html", "index.html")
    ]  # the first page may be the root
    return next(page for page in pages if page.exists()).relative_to(folder).as_posix(), seconds


ENGINES: dict[str, Callable[[Path], tuple[str, float]]] = {
    "`explorable`, `figure.save`": by_explorable,
    "Panel, `embed=True`": by_panel,
    "Panel, `embed=True`, resources inline": lambda folder: by_panel(folder, "inline"),
    "marimo-book, `precompute`": by_marimo,
}


def loaded(folder: Path, path: str) -> tuple[int, int]:
    """What a page loads from its own site, in bytes gzipped, and how often it asks another host."""
    with sync_playwright() as playwright, serve(folder) as origin:
        browser = playwright.chromium.launch(executable_path=program(CHROMIUM), args=list(FLAGS))
        page, own, elsewhere = browser.new_page(), [], []
        page.route(re.compile(f"^(?!{re.escape(origin)}|data:|blob:)"), lambda route: route.abort())
        page.on(
            "request", lambda request: elsewhere.append(request.url) if foreign(request.url, origin) else None
        )
        page.on("response", lambda response: own.append(response))
        page.goto(f"{origin}/{path}", wait_until="networkidle")
        size = sum(len(gzip.compress(response.body(), 6)) for response in own if response.ok)
        browser.close()
    return size, len(elsewhere)


def foreign(address: str, origin: str) -> bool:
    return urlsplit(address).scheme in ("http", "https") and not address.startswith(origin)


def rows() -> list[str]:
    """A line of the table for each engine."""
    lines = []
    for name, build in ENGINES.items():
        with tempfile.TemporaryDirectory() as folder:
            path, seconds = build(Path(folder))
            size, elsewhere = loaded(Path(folder), path)
        lines.append(f"| {name} | {size / 1000:,.0f} kB | {elsewhere} | {seconds:,.1f} s |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    peers = ", ".join(package.replace("==", " ") for package in (*PANEL, MARIMO[0]))
    when = f"Measured {datetime.date.today().isoformat()} with {peers}."
    head = ["| engine | loaded, gzipped | requests to other hosts | built in |", "|---|--:|--:|--:|"]
    table = "\n".join([when, "", *head, *rows()]) + "\n"
    text, count = PLACE.subn(lambda _: table, PAGE.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit(f"{PAGE} must have one part between % engines and % end of engines, but has {count}")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
