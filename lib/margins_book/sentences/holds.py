"""What holds each sentence of a chapter: a condition, an assertion, a reference, or a reason on the list.

(book: How to read and run this book, Reading)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import yaml

from margins_book.sentences.blocks import Passage, passages
from margins_book.sentences.figure_words import CellWords, Words, read_cells
from margins_book.sentences.splitting import Sentence, sentences
from margins_book.sentences.triggers import triggers

REFERENCE = re.compile(r"\{(prf:ref|eq|cite(?::\w+)?)\}`|claim-c\d+-\d+")
DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
TASK = re.compile(
    r"(?:Show|Prove|Write|Find|Let|Explain|Compare|Give|Compute|Derive|Measure|Take|Repeat|State)\b"
)
WIDE = {"answer of a prompt", "caption", "alternative text", "quiz", "summary"}


@dataclass(frozen=True)
class Listed:
    """A sentence that data could deny: where it stands, by which words, and what holds it, or nothing."""

    line: int
    kind: str
    words: str
    triggers: tuple[str, ...]
    held: str


class Stated(NamedTuple):
    """A sentence of the page with the kind of its place, and with the call of `prompt` that it answers."""

    sentence: Sentence
    kind: str
    source: Words | None


class Page(NamedTuple):
    """A page read: its sentences, what its cells quote, and the entries of its list of reasons."""

    stated: list[Stated]
    cells: CellWords
    reasons: list[dict]


def read_page(page: Path, reasons: Path) -> Page:
    """The sentences of a chapter's page; the file with `reasons` need not exist."""
    found = passages(page.read_text("utf8"))
    cells = read_cells([one for one in found if one.kind == "cell"])
    stated = [Stated(one, p.kind, None) for p in found if p.kind != "cell" for one in sentences(p.lines)]
    stated += [Stated(one, words.kind, words) for words in cells.words for one in spoken(words)]
    entries = yaml.safe_load(reasons.read_text("utf8")) if reasons.is_file() else {}
    return Page(
        sorted(stated, key=lambda one: one.sentence.line), cells, (entries or {}).get("sentences") or []
    )


def spoken(words: Words) -> Iterator[Sentence]:
    """The sentences of a string in a cell, all on the line on which it begins."""
    for one in sentences(Passage(words.kind, [(words.line, words.text)]).lines):
        yield Sentence(words.line, one.words)


def listed_sentences(page: Page) -> list[Listed]:
    """The sentences that data could deny, in the order of the page."""
    found = []
    for one in page.stated:
        is_task = one.kind == "exercise" and TASK.match(one.sentence.words)
        if not is_task and (words := triggers(one.sentence.words, is_wide=one.kind in WIDE)):
            held = holder(one, words, page)
            found.append(Listed(one.sentence.line, one.kind, one.sentence.words, tuple(words), held))
    return found


def holder(stated: Stated, triggering: list[str], page: Page) -> str:
    """What holds a sentence, or an empty text."""
    words, source = stated.sentence.words, stated.source
    if source and source.has_condition:
        return "condition of its prompt"
    if source and source.says and numbers_alone(words, triggering, source.says):
        return "`says` of its prompt"
    for quotation, name in [
        *((q, "condition") for q in page.cells.conditions),
        *((q, "assertion") for q in page.cells.comments),
    ]:
        if quotation.is_asserted and quotation.words in words:
            return f"{name} in line {quotation.line}"
    if reference := REFERENCE.search(words):
        return f"reference {reference[1] or reference[0]}"
    reasons = [entry["reason"] for entry in page.reasons if entry["words"] in words]
    return f"reason: {reasons[0]}" if reasons else ""


def numbers_alone(words: str, triggering: list[str], says: str) -> bool:
    """Whether a sentence could be denied by numbers alone, all of which the figure's sentence says."""
    numbers = DIGITS.findall(words)
    return (
        bool(numbers)
        and set(numbers) <= set(DIGITS.findall(says))
        and all(DIGITS.search(word) for word in triggering)
    )
