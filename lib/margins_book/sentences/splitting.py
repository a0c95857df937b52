"""Prose split into sentences, each with the line on which it begins.

(book: How to read and run this book, Reading)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from margins_book.sentences.blocks import ITEM

ATOM = re.compile(
    r"`+[^`]*`+|\$[^$]+\$|\]\([^)]*\)"
)  # code, formulas, targets of links: no sentence ends inside
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|al|vs|Fig|Eq|Sec|resp|approx|Dr|Mr|St|No)|\b[A-Z])\.$")
END = re.compile(r"[.!?:;]?[.!?][\"”')*_]*(?=\s+|$)")
BEGINNING = re.compile(r"\s*[\"“'(*_\[{]*[A-Z0-9$`{\ue000]")
FILLED = "\ue000"  # stands for the letters of an atom while sentences are sought


@dataclass(frozen=True)
class Sentence:
    """A sentence of a page: its line, its words in one line."""

    line: int
    words: str


def sentences(lines: list[tuple[int, str]]) -> Iterator[Sentence]:
    """The sentences of a passage."""
    text = "\n".join(line for _, line in lines)
    masked = ATOM.sub(lambda match: FILLED * len(match[0]), text)
    start = len(masked) - len(masked.lstrip())
    if item := ITEM.match(masked.lstrip()):
        start += item.end()
    for end in [*ends(masked, start), len(text)]:
        if words := " ".join(text[start:end].split()):
            leading = len(text[start:end]) - len(text[start:end].lstrip())
            yield Sentence(lines[text.count("\n", 0, start + leading)][0], words)
        start = end


def ends(masked: str, start: int) -> Iterator[int]:
    """Where sentences end in a text whose atoms are masked, before its own end."""
    for match in END.finditer(masked, start):
        before, after = masked[: match.end()].rstrip("\"”')*_"), masked[match.end() :]
        if after.strip() and BEGINNING.match(after) and not ABBREVIATION.search(before):
            yield match.end()
