"""The chapters of the book: the number, the page and the folder of each."""

import functools
import os
import re
from dataclasses import dataclass
from pathlib import Path

NAMED_BY = "MARGINS_BOOK"  # the variable with the book's folder, where this package is installed without it


def _root() -> Path:
    """The checkout that this package lies in, else the folder that the variable names."""
    checkout = Path(__file__).resolve().parents[2]
    is_whole = (checkout / "_config.yml").is_file()
    return checkout if is_whole else Path(os.environ.get(NAMED_BY, checkout)).resolve()


ROOT = _root()


@dataclass(frozen=True)
class Chapter:
    """A chapter, by its page `chapters/03_softmax_kernel.md`; its folder is named after the same topic."""

    page: Path

    @property
    def number(self) -> int:
        return int(self.page.stem.partition("_")[0])

    @property
    def topic(self) -> str:
        return self.page.stem.partition("_")[2]

    @property
    def story(self) -> Path:
        """The page of the chapter's story, `stories/03_softmax_kernel.md`, if it has one."""
        return self.page.parents[1] / "stories" / self.page.name

    @property
    def session(self) -> Path:
        """The plan for teaching the chapter, `book/sessions/03_softmax_kernel.md`, if it has one."""
        return self.page.parents[1] / "book" / "sessions" / self.page.name

    @property
    def folder(self) -> Path:
        """The chapter's drawings, checks, exercises, claims and tests."""
        return Path(__file__).parent / self.topic

    @property
    def exercises(self) -> Path:
        """A folder for each coded exercise, by its label: wrong answers, samples, equivalents, a figure."""
        return self.folder / "exercises"

    @property
    def claims(self) -> Path:
        """The chapter's part of the ledger of claims."""
        return self.folder / "claims.yml"

    @property
    def claim_tests(self) -> list[Path]:
        """The files with the tests of its claims."""
        return sorted((self.folder / "tests").glob("test_claims*.py"))


class Landing(Chapter):
    """The book's first page; its figure and its tests lie in the folder `landing`."""

    @property
    def number(self) -> int:
        return 0

    @property
    def topic(self) -> str:
        return "landing"


LANDING = Landing(ROOT / "index.md")


@functools.cache
def chapters() -> tuple[Chapter, ...]:
    """All chapters in the order of the book."""
    pages = (ROOT / "chapters").glob("[0-9]*.md")
    return tuple(Chapter(page) for page in sorted(pages) if re.match(r"\d+_", page.name))
