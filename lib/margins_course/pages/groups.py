"""Answers in groups that failed alike, so that one comment can serve several students.

(book: Teaching with this book, Review)
"""

import re
from dataclasses import dataclass

from margins_course.pages.cards import Card

EVERYTHING, BLANK = "passes everything", "blank"
NUMBER = re.compile(r"0x[0-9a-f]+|[-+]?\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?j?|[-+]?\b(?:nan|inf)\b", re.I)
ARRAY = re.compile(r"\[[\s\[\]…,()]*\]")
LONGEST = 90  # characters of a message in a group's name


@dataclass(frozen=True)
class Group:
    """Answers that can be read together; those that ask for nothing are folded away."""

    title: str
    cards: tuple[Card, ...]
    folded: bool = False


def groups(cards: list[Card]) -> list[Group]:
    """The answers to one exercise by what their checks said, or by their text where there are no checks."""
    name = _failure if any(card.verdicts for card in cards) else _text
    found: dict[tuple, list[Card]] = {}
    for card in cards:
        found.setdefault((BLANK,) if card.is_blank else name(card), []).append(card)
    if name is _text:
        found = _only_twins(found)
    rank = {(BLANK,): 2, (EVERYTHING,): 1}
    ordered = sorted(found.items(), key=lambda item: (rank.get(item[0], 0), -len(item[1])))
    return [_group(key, members) for key, members in ordered]


def _group(key, members):
    quiet = key in ((BLANK,), (EVERYTHING,)) and not any(card.waits for card in members)
    title = key[0] if len(key) == 1 else f"{key[0]}, and {len(key) - 1} more"
    return Group(title, tuple(members), quiet)


def _failure(card):
    """What identifies a failure: each failed check with its corner, or with its message without numbers."""
    failed = [verdict for verdict in card.verdicts if not verdict.passed]
    if not failed:
        return (EVERYTHING,)
    return tuple(
        f"fails the {v.check} at: {v.corner}"
        if v.corner
        else f"fails the {v.check}: {without_numbers(v.said)}"
        for v in failed
    )


def without_numbers(message: str) -> str:
    """The first line of a message, with "…" for numbers and arrays: they would split a group."""
    line = next(iter(message.strip().splitlines()), "")[: 4 * LONGEST]
    short = " ".join(ARRAY.sub("[…]", NUMBER.sub("…", line)).split())
    return short if len(short) <= LONGEST else short[: LONGEST - 1] + "…"


def _text(card):
    return tuple(" ".join(piece.source.split()) for piece in card.work.pieces)


def _only_twins(found):
    """Groups of equal texts under a name; all other answers together."""
    named: dict[tuple, list[Card]] = {}
    for text, members in found.items():
        twins = len(members) > 1 and text != (BLANK,)
        key = (BLANK,) if text == (BLANK,) else (_same(members),) if twins else ("answers",)
        named.setdefault(key, []).extend(members)
    return named


def _same(members):
    return f"identical text: the answer of {' and '.join(card.student.id for card in members[:2])}" + (
        f" and {len(members) - 2} more" if len(members) > 2 else ""
    )
