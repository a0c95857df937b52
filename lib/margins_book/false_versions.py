"""The records of false versions of a chapter's checks: what became of each, and why some may stay.

(book: How well the tests bite)
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from margins_book.chapters import Chapter
from margins_book.mutants import reasons

SAME = "~"  # stands for the words that the check said of the version before
NOT_FALSE = ("equal:", "data:")  # begin the reasons of versions that state nothing false


@dataclass(frozen=True)
class Row:
    """What became of one false version of a check."""

    check: str  # the check's name, such as `rf-thm-three-1`
    change: str  # the lines that changed, `old -> new`
    outcome: str  # refused, stopped (no end within its time), survived, or weaker (states less)
    said: str  # what the check said
    digest: str  # of the check and what it needs, when the version was tried

    @property
    def survived(self) -> bool:
        return self.outcome == "survived"

    @property
    def name(self) -> str:
        """The version's line in the file of reasons."""
        return f"{self.check}: {self.change}"


def record_of(chapter: Chapter) -> Path:
    """The file with the chapter's rows."""
    return chapter.folder / "false_versions.csv"


def reasons_of(chapter: Chapter) -> dict[str, str]:
    """Why versions of the chapter's checks may survive, by their lines."""
    path = chapter.folder / "false_versions_kept.txt"
    return reasons(path) if path.exists() else {}


def read_rows(chapter: Chapter) -> list[Row]:
    """The recorded false versions of a chapter's checks, in the order of the page."""
    path = record_of(chapter)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(_in_full(csv.DictReader(file)))


def write_rows(chapter: Chapter, rows: list[Row]) -> None:
    """Keeps `rows` instead of the chapter's earlier ones; what a row shares with the last is left out."""
    with record_of(chapter).open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([field.name for field in fields(Row)])
        last = Row("", "", "", "", "")
        for row in rows:
            head, tail = _parts(row.said)
            said = SAME + tail if row.said and head == _parts(last.said)[0] else row.said
            same = row.check == last.check
            table.writerow(astuple(replace(row, check="", digest="", said=said) if same else row))
            last = row


def _in_full(lines: Iterable[dict[str, str]]) -> Iterator[Row]:
    """The rows of a file, with what each has in common with the one before."""
    last = Row("", "", "", "", "")
    for line in lines:
        row = Row(**line)
        if not row.check:
            row = replace(row, check=last.check, digest=last.digest)
        if row.said.startswith(SAME):
            row = replace(row, said=_parts(last.said)[0] + row.said.removeprefix(SAME))
        last = row
        yield row


def _parts(said: str) -> tuple[str, str]:
    """What a check said: the part that is false, and the numbers in it."""
    head, sign, numbers = said.rpartition(": ")
    return (head, sign + numbers) if sign else (said, "")


def stale(rows: list[Row], now: dict[str, str]) -> set[str]:
    """The checks whose rows are of other code than `now`, their digests, or which have none, or are gone."""
    recorded: dict[str, set[str]] = {check: set() for check in now}
    for row in rows:
        recorded.setdefault(row.check, set()).add(row.digest)
    return {check for check, known in recorded.items() if known != {now.get(check)}}


def renewed(rows: list[Row], tried: list[Row], now: dict[str, str]) -> list[Row]:
    """The rows that are not stale, with those of the checks that were `tried`, in the order of the page."""
    again = {row.check for row in tried}
    kept = [row for row in rows if row.check not in again and row.digest == now.get(row.check)]
    places = {check: place for place, check in enumerate(now)}
    return sorted([*kept, *tried], key=lambda row: places[row.check])


def are_false(rows: list[Row], why: dict[str, str]) -> list[Row]:
    """The rows that state something false: not weaker ones, nor survivors of which a reason says so."""
    return [
        row
        for row in rows
        if row.outcome != "weaker" and not (row.survived and why.get(row.name, "").startswith(NOT_FALSE))
    ]
