"""Answers in groups that failed alike, so that one comment can serve several students.

(book: Teaching with this book, Review)
"""

import re
from dataclasses import dataclass

from margins_course.pages.cards import Card
from margins_course.pages.feedback_card import PLAIN_ERRORS

EVERYTHING, BLANK = "passes everything", "blank"
SAME, EACH = "identical text", "answers"
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
    has_checks = any(card.verdicts for card in cards)
    found: dict[tuple, list[Card]] = {}
    for card in cards:
        key = (BLANK,) if card.is_blank else _failure(card) if has_checks else _text(card)
        found.setdefault(key, []).append(card)
    named = [Group(key[0], tuple(members), _asks_nothing(key, members)) for key, members in found.items()]
    last = {EVERYTHING: 1, BLANK: 2}
    ordered = sorted(named, key=lambda group: (last.get(group.title, 0), -len(group.cards)))
    return ordered if has_checks else _singles_together(ordered)


def _asks_nothing(key, members):
    return key in ((EVERYTHING,), (BLANK,)) and not any(card.waits for card in members)


def _failure(card):
    """A name, and what identifies the failure: each failed check's corner, or its message without numbers."""
    failed = [verdict for verdict in card.verdicts if not verdict.passed]
    said = [f"fails the {verdict.check}{_where(verdict)}" for verdict in failed]
    more = f", and {len(said) - 1} more" if len(said) > 1 else ""
    return (said[0] + more, *said) if said else (EVERYTHING,)


def _where(verdict):
    return f" at: {verdict.corner}" if verdict.corner else f": {without_numbers(verdict.said)}"


def without_numbers(message: str) -> str:
    """The first line of a message, with "…" for numbers and arrays: they would split a group."""
    line = next(iter(message.strip().splitlines()), "")[: 4 * LONGEST]
    for error in PLAIN_ERRORS:
        line = line.removeprefix(f"{error}: ")
    short = " ".join(ARRAY.sub("[…]", NUMBER.sub("…", line)).split())
    return short if len(short) <= LONGEST else short[: LONGEST - 1] + "…"


def _text(card):
    """A name, and what identifies a text: its words."""
    return (SAME, *(tuple(piece.source.split()) for piece in card.work.pieces))


def _singles_together(found):
    """Groups of equal texts under one name, and all answers that are like no other in one group."""
    blank = [group for group in found if group.title == BLANK]
    written = [group for group in found if group.title != BLANK]
    singles = tuple(card for group in written if len(group.cards) == 1 for card in group.cards)
    twins = [Group(SAME, group.cards) for group in written if len(group.cards) > 1]
    return [*([Group(EACH, singles)] if singles else []), *twins, *blank]
