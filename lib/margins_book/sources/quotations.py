"""The sentences that the book quotes, each of them whole and once, from `book/quotations.yml`."""

import functools
import re
from pathlib import Path
from typing import NamedTuple

import yaml

from margins_book.chapters import ROOT
from margins_book.sources.sentences import FORMULA, QUOTES, digest, without_markup

QUOTATIONS_FILE = ROOT / "book" / "quotations.yml"
LEFT_OUT = re.compile(r"…|\.\.\.")  # what a fragment may leave out of the middle of its sentence


class Quotation(NamedTuple):
    """A whole sentence of a source; the fields are those of the file."""

    id: str
    source: str
    place: str
    text: str
    english: str = ""
    note: str = ""

    @property
    def words(self) -> str:
        """What the pages quote from: the sentence, or its translation if it is not English."""
        return self.english or self.text

    @property
    def digest(self) -> str:
        """By which the ledger's claims name the sentence."""
        return digest(self.text)


def read_quotations(file: Path = QUOTATIONS_FILE) -> dict[str, Quotation]:
    """All quotations by their ids."""
    return dict(_read(file, file.stat().st_mtime_ns))


@functools.lru_cache(maxsize=4)
def _read(file: Path, changed: int) -> dict[str, Quotation]:
    """The quotations of a file as it was when it last `changed`."""
    entries = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["quotations"]
    found: dict[str, Quotation] = {}
    for entry in entries:
        if entry["id"] in found:
            raise ValueError(f"{file.name} has the id {entry['id']!r} twice; give one of them another")
        found[entry["id"]] = Quotation(**entry)
    return found


def quotations_of(claim: dict) -> list[Quotation]:
    """The sentences quoted that a claim judges, in the order of the file."""
    return [each for each in read_quotations().values() if each.digest in claim.get("sentences", ())]


def quotes(quotation: Quotation, fragment: str) -> bool:
    """Whether a fragment stands in the sentence, piece by piece in their order where it leaves words out."""
    whole, place = comparable(quotation.words), 0
    for piece in filter(None, map(comparable, LEFT_OUT.split(fragment))):
        place = whole.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return True


def comparable(text: str) -> str:
    """A text in small letters without markup, dollars and quotation marks, without spaces in formulas."""
    parts = FORMULA.split(without_markup(text).translate(QUOTES).casefold())
    parts[1::2] = ["".join(formula.split()) for formula in parts[1::2]]
    return " ".join(re.sub(r"[$\"']", "", "".join(parts)).split()).strip(" .,;:")
