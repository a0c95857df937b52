"""The two editions of the printed book: which pages each has, and what of their chapters."""

from dataclasses import dataclass
from pathlib import Path

from scripts.editions.site import ROOT, pages_in_order, settings

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
        return [page for page in pages_in_order() if self.is_whole or is_of_lectures(page)]


def is_of_lectures(page):
    return page.startswith("chapters/") or page in FOR_REFERENCE


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
