"""The texts of the sources, where they are at hand: a folder that the book's repository does not contain.

The folder is named by MARGINS_SOURCES, or lies beside the project. Its files may have any names: a file
belongs to the source whose claims judge the most of its sentences.
"""

import os
from pathlib import Path

from margins_book.chapters import ROOT
from margins_book.ledger import read_ledger
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


def sources_in(folder: Path) -> dict[str, list[Sentence]]:
    """The sentences of each source whose text lies in the folder."""
    judged: dict[str, set[str]] = {}
    for claim in read_ledger().claims:
        judged.setdefault(claim["source"][0], set()).update(claim.get("sentences", ()))
    found: dict[str, list[Sentence]] = {}
    for file in sorted(folder.glob("*.txt")):
        read = sentences(file.read_bytes().decode("utf-8"))
        digests = {sentence.digest for sentence in read}
        source = max(judged, key=lambda name: len(judged[name] & digests))
        if not judged[source] & digests:
            raise ValueError(f"{file.name} is no source of the ledger: no claim judges a sentence of it")
        found[source] = read
    return found
