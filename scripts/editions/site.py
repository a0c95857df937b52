"""The built site as editions read it, the two editions of the printed book, and the slides of its stories."""

import functools
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urldefrag

import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"


@functools.cache
def settings():
    """What `_config.yml` sets: the book's title and authors, and where it is published."""
    return yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))


def parsed(page):
    return BeautifulSoup((SITE / page).read_text("utf8"), "html.parser")


def fragment(markup):
    """The one element that a piece of HTML holds."""
    return BeautifulSoup(markup, "html.parser").find()


def contents_of_site():
    """The list of all pages as the site's landing page has it."""
    return parsed("index.html").select_one('nav[aria-label="Book"]')


def pages_in_order():
    """The site's pages as the book's contents list them, the landing page first."""
    links = [link["href"] for link in contents_of_site().select("a") if link["href"] != "#"]
    return ["index.html", *dict.fromkeys(urldefrag(link).url for link in links)]


@functools.cache
def home():
    """The address at which the site is published."""
    return parsed("index.html").select_one("link[rel=canonical]")["href"]


def anchor(page, place=""):
    """The id, in the whole book, of a place on a page."""
    return f"{page.removesuffix('.html').replace('/', '-')}--{place}"


TITLE = settings()["title"]
FOR_REFERENCE = ("book/cheat_sheet.html", "book/glossary.html", "book/notation.html", "book/references.html")


@dataclass(frozen=True)
class Edition:
    """One printed book: `about` says what it holds, `elsewhere` what the sign ↗ means in it."""

    name: str
    about: str
    elsewhere: str
    file: str
    is_whole: bool

    @property
    def title(self):
        return f"{TITLE}: {self.name.lower()}"

    @property
    def target(self) -> Path:
        return ROOT / "_build" / self.file

    def pages(self):
        """The site's pages in this edition; all, or the chapters and what one wants at hand beside them."""
        pages = pages_in_order()
        kept = (page for page in pages if page.startswith("chapters/") or page in FOR_REFERENCE)
        return pages if self.is_whole else list(kept)


LECTURES = Edition(
    "Lectures",
    "Each chapter without its excursions, long proofs, and the code of its checks; solutions, cheat sheet, "
    "glossary, notation and references.",
    "↗ behind a reference, or behind a line such as “Proof, 7 lines”, marks what this edition leaves out: "
    "the link opens it on the site. On paper it stands in the edition Everything.",
    "margins-of-attention-lectures.pdf",
    False,
)
EVERYTHING = Edition(
    "Everything",
    "Each chapter with its excursions, all proofs and the code of all checks; solutions, and all pages "
    "around the chapters.",
    "↗ behind a link marks what is on the site alone: notebooks, and the pages of the library.",
    "margins-of-attention.pdf",
    True,
)
EDITIONS = (LECTURES, EVERYTHING)


def stories():
    """The pages of the stories."""
    return [page for page in pages_in_order() if page.startswith("stories/")]


def slides_of(story):
    """The PDF of a story's slides, named by the number of its chapter."""
    return ROOT / "_build" / f"margins-of-attention-slides-{Path(story).name[:2]}.pdf"
