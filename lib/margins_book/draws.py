"""The record of draws: how often each check holds if the seeds of its page are others.

A chapter's record has a row for each check of its page (`kind` "check") and for each test of its claims
("test"). Checks whose values are the same in all draws have no random data: their rows have no draws.
(book: How well the tests bite)
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from margins_book.chapters import Chapter

FILE = "draws.csv"
DRAWS = 20  # of the seeds of a page; the first is the page's own
CHECK, TEST = "check", "test"


@dataclass(frozen=True)
class Row:
    """What became of one check, or of one test of a claim, in all draws."""

    kind: str
    name: str
    draws: int  # 0 where nothing is random
    held: int
    not_reached: int  # draws in which something before it failed
    denied_in: str  # the first draw in which it failed
    denied_by: str  # the assertion that failed, with what it compared
    digest: str  # of the code when it was tried

    @property
    def words(self) -> str:
        """`holds in 17 of 20 draws`; nothing where nothing is random."""
        return f"holds in {self.held} of {self.draws} draws" if self.draws else ""


def record_of(chapter: Chapter) -> Path:
    return chapter.folder / FILE


def read_rows(chapter: Chapter) -> list[Row]:
    """The recorded rows of a chapter; none if it has no record."""
    path = record_of(chapter)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(line) for line in csv.DictReader(file)]


def write_rows(chapter: Chapter, rows: Iterable[Row]) -> None:
    """Makes these rows the chapter's record."""
    with record_of(chapter).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, rows))


def stale(rows: Iterable[Row], now: Mapping[str, str], draws: int = DRAWS) -> set[str]:
    """The names in `now`, digests by name, of which no row tells what became of them in `draws` draws."""
    current = {row.name for row in rows if row.digest == now.get(row.name) and row.draws in (0, draws)}
    return now.keys() - current


def words_of(chapter: Chapter, kind: str = CHECK) -> dict[str, str]:
    """By name, how often each check of a page with random data holds, or each test of its claims."""
    return {row.name: row.words for row in read_rows(chapter) if row.kind == kind and row.draws}


def _row(line: dict[str, str]) -> Row:
    counted = {name: int(line[name]) for name in ("draws", "held", "not_reached")}
    return Row(**(line | counted))  # type: ignore[arg-type]
