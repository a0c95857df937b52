"""The rendered site, served on the loopback, and pages of it that are watched for faults."""

import contextlib
import gc
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from conftest import full
from scripts.serving import serve
from tests.book.firefox import running

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
NOT_FOUND = "404.html"  # its addresses begin at the root: test_not_found.py
FIGURE_PAGES = "figures"  # the folder of figures' own pages: test_figure_pages.py
EVERY = sorted(
    page.relative_to(SITE).as_posix()
    for page in SITE.rglob("*.html")
    if not {"_static", FIGURE_PAGES} & {*page.relative_to(SITE).parts} and page.name != NOT_FOUND
)
LIBRARY = [page for page in EVERY if page.startswith("book/library/") and not page.endswith("index.html")]
PAGES = [page for page in EVERY if page not in LIBRARY[1:]]  # to be opened; one stands for the library
CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
SHORT = "chapters/08_generalised_svm.html"
ONE_CHAPTER = [SHORT, *full(*(path for path in CHAPTERS if path != SHORT))]  # the others with ALL=1
SCREENS = {
    "desktop": {"width": 1440, "height": 900},
    "laptop": {"width": 1280, "height": 800},
    "wide": {"width": 1536, "height": 864},
    "small desktop": {"width": 1120, "height": 800},  # contents, but no room for figures beside the text
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
}


@cache
def parsed(path):
    """The page as a tree, which tests may read but not change.

    Trees are kept to the end: Python need not look through a million nodes for garbage again and again.
    """
    gc.disable()
    try:
        return BeautifulSoup((SITE / path).read_text(), "html.parser")
    finally:
        gc.freeze()
        gc.enable()


@cache
def ids(path):
    """All places of the page to which an address can lead."""
    return set(re.findall(r'\bid="([^"]+)"', (SITE / path).read_text("utf8")))


def said(element):
    """The words of a part of the page, without the sign of its permalink."""
    return " ".join(element.get_text().split()).removesuffix("#")


@dataclass
class Faults:
    """What a page must never do: write errors, ask other hosts, miss files."""

    origin: str
    console: list = field(default_factory=list)
    asked: list = field(default_factory=list)
    missing: list = field(default_factory=list)

    def watch(self, page):
        page.on("console", lambda m: self.console.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("response", lambda r: self.missing.append(r.url) if r.status >= 400 else None)

    def none_seen(self):
        assert not self.console, f"the console says {self.console}"
        outside = [url for url in self.asked if not url.startswith((self.origin, "data:", "blob:"))]
        assert not outside, f"requests left the site: {outside}"
        assert not self.missing, f"files are missing: {self.missing}"


@pytest.fixture(scope="session")
def origin():
    """Address of the built site."""
    assert (SITE / "index.html").exists(), "the site is not built: run `make book` first"
    with serve(SITE) as address:
        yield address


@pytest.fixture(scope="session")
def visit(browser, origin):
    """`visit(path, ...)`: a page of the site in a browser of its own, checked for faults when it closes.

    `before` is a script that runs before those of the page.
    """

    @contextlib.contextmanager
    def open_page(path, *, screen="desktop", theme="light", before="", **options):
        context = browser.new_context(viewport=SCREENS[screen], color_scheme=theme, **options)
        context.add_init_script(before)
        page, faults = context.new_page(), Faults(origin)
        faults.watch(page)
        page.asked = faults.asked
        page.goto(f"{origin}/{path}")
        yield page
        faults.none_seen()
        context.close()

    return open_page


@pytest.fixture(scope="module")
def firefox():
    with running() as window:
        yield window
