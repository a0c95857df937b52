"""The texts of the sources, where they are at hand: a folder that the book's repository does not contain.

The folder is named by MARGINS_SOURCES, or lies beside the project. Its files may have any names: a file
belongs to the source with whose table it has the most sentences in common.
(book: What the sources say)
"""

import os
from collections.abc import Iterator
from pathlib import Path

from margins_book.chapters import ROOT
from margins_book.sources.coverage import Row, read_coverage
from margins_book.sources.sentences import Sentence, sentences

VARIABLE = "MARGINS_SOURCES"
BESIDE = ROOT.parent / "shared" / "sources"


def folder_at_hand() -> Path | None:
    """The folder with the texts of the sources, or None if there is none."""
    named = os.environ.get(VARIABLE)
    if named and not Path(named).is_dir():
        raise FileNotFoundError(
            f"{VARIABLE} is {named!r}, which is no folder; name one with the sources' texts"
        )
    folder = Path(named) if named else BESIDE
    return folder if folder.is_dir() else None


def sources_in(folder: Path, rows: list[Row] | None = None) -> dict[str, list[Sentence]]:
    """The sentences of each source whose text lies in the folder."""
    known: dict[str, set[str]] = {}
    for row in read_coverage() if rows is None else rows:
        known.setdefault(row.source, set()).add(row.digest)
    found: dict[str, list[Sentence]] = {}
    for file in sorted(folder.glob("*.txt")):
        said = sentences(file.read_bytes().decode("utf-8"))
        digests = {sentence.digest for sentence in said}
        source = max(known, key=lambda name: len(known[name] & digests))
        if 2 * len(known[source] & digests) < len(digests):
            raise ValueError(f"{file.name} is no source that the tables in book/coverage know; add its table")
        found[source] = said
    return found


def differences(said: dict[str, list[Sentence]], rows: list[Row]) -> Iterator[str]:
    """The sentences without a row, and the rows without a sentence, as lines of text."""
    for source, found in said.items():
        known = {row.digest: row for row in rows if row.source == source}
        there = {sentence.digest: sentence for sentence in found}
        for digest, sentence in there.items():
            if digest not in known:
                yield f"{source} has no row for {digest} ({sentence.place}): {sentence.text}"
        for digest, row in known.items():
            if digest not in there:
                yield f"{source} has no sentence {digest} ({row.place}) that begins {row.begins!r}"
