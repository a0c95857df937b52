"""Which claims judge which sentence of the sources, from the tables `book/coverage/SOURCE.csv`.

A row names a sentence by its digest and its first words, with … where more follow. Only sentences that are
quoted are copied whole.
(book: What the sources say)
"""

import csv
import functools
from pathlib import Path
from typing import NamedTuple

from margins_book.chapters import ROOT

COVERAGE = ROOT / "book" / "coverage"
GAP = "gap: "  # begins the remark on what a sentence says and no claim judges
REASONS = {
    "heading": "a heading or the head of a table, which says nothing that its section does not",
    "label of a list": "words that announce a list or a formula",
    "notation": "names of symbols, and steps that any program has",
    "metadata": "names, addresses, tags, navigation",
    "reference": "a work or an address that is referred to",
    "figure": "about pictures that our copies lack",
    "structure of the text": "what the text is going to speak of",
    "question": "a question that the text answers itself",
    "opinion": "a judgement of taste or importance that nothing in this book could deny",
}


class Row(NamedTuple):
    """A sentence of a source: the claims that judge it, or the reason why none does."""

    source: str
    digest: str
    place: str
    begins: str
    claims: tuple[str, ...]
    remark: str

    @property
    def gap(self) -> str:
        """What the sentence says and no claim judges; empty if there is nothing."""
        return self.remark.removeprefix(GAP) if self.remark.startswith(GAP) else ""


def coverage_files() -> list[Path]:
    return sorted(COVERAGE.glob("*.csv"))


def read_coverage() -> list[Row]:
    """The rows of all tables, source by source."""
    return [row for file in coverage_files() for row in table(file)]


def table(file: Path) -> tuple[Row, ...]:
    """The rows of the table of one source."""
    return _read(file, file.stat().st_mtime_ns)


@functools.lru_cache(maxsize=16)
def _read(file: Path, changed: int) -> tuple[Row, ...]:
    """The rows of a table as it was when it last `changed`."""
    with file.open(encoding="utf-8", newline="") as lines:
        return tuple(
            Row(
                file.stem,
                row["digest"],
                row["place"],
                row["begins"],
                tuple(row["claims"].split()),
                row["remark"],
            )
            for row in csv.DictReader(lines)
        )
