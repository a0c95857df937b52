"""What the review page shows of each answer: owner, verdicts, mark; groups of answers that fail alike."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from margins_course.assignments.sheet import Exercise
from margins_course.book import PACKAGES
from margins_course.grading.results import Result, Work
from margins_course.grading.totals import Total, is_empty, needs_manual_marking, why_stale
from margins_course.pages.feedback_card import PLAIN_ERRORS

KINDS = {"hidden-check": "hidden check", "private-check": "your own check", "check": "visible check"}

OURS = "|".join(PACKAGES)
IMPORTED = re.compile(
    rf"(?:^[ \t]*(?:from|import)\b[^\n#]*?\b|(?:import_module|__import__)\([ \t]*['\"])"
    rf"((?:{OURS})(?:\.\w+)*)\b",
    re.M,
)


@dataclass(frozen=True)
class Verdict:
    """What one check said about one answer."""

    check: str
    points: float
    out_of: float
    passed: bool
    message: str
    corner: str


class Card:
    """One answer with all that its reader needs; `number` stands for the name where names are hidden."""

    def __init__(self, exercise: Exercise, number: int, total: Total, result: Result, given: set[str]):
        self.exercise, self.number, self.student = exercise, number, total.student
        self.seconds_late = total.standing.seconds_late
        self.verdicts = tuple(verdicts(exercise, result))
        self.automatic = sum(result.points.get(check.name, 0.0) for check in exercise.checks)
        self.work = result.work.get(exercise.label, Work())
        self.outside = result.work.get("", Work())  # what stands in no exercise, and set-up that was changed
        self.is_blank = is_empty(self.work, given)
        # text or files: something that is marked by the rubric
        self.has_text = needs_manual_marking(exercise, self.work, given, total.standing.beside)
        code = [p.source for p in (*self.work.pieces, *self.outside.pieces) if p.kind == "code"]
        self.imports = sorted(_imports(code) - _imports([*given, exercise.solution]))
        self.mark = mark = dict(total.marks).get(exercise.label)
        # the mark belongs to another answer or another rubric
        self.is_outdated = mark is not None and why_stale(exercise, self.work, mark) != ""
        # where there is a rubric, a comment alone is no mark
        self.is_marked = mark is not None and mark.lines is not None and not self.is_outdated
        must_be_read = bool(exercise.rubric) and self.has_text and not self.is_marked
        self.waits = self.is_outdated or must_be_read  # for a person


def cards(exercise: Exercise, totals: list[Total], given: set[str]) -> list[Card]:
    """The answers to one exercise in the order of the roster; `given` has the cells that students got."""
    handed_in = ((total, total.result) for total in totals if total.exercises and total.result)
    return [Card(exercise, place, *both, given) for place, both in enumerate(handed_in, 1)]


def _imports(texts: Iterable[str]) -> set[str]:
    """The book's own modules that texts import: no student's code is parsed."""
    return {name for text in texts for name in IMPORTED.findall(text)}


def verdicts(exercise: Exercise, result: Result) -> Iterator[Verdict]:
    """What each check of an exercise said about one submission."""
    names = check_names(exercise)
    for check in exercise.checks:
        failed = result.messages.get(check.name)
        said = failed if failed is not None else result.praise.get(check.name, "")
        points = result.points.get(check.name, 0.0)
        corner = result.corners.get(check.name, "")
        yield Verdict(names[check.name], points, check.points, failed is None, said, corner)


def check_names(exercise: Exercise) -> dict[str, str]:
    """What a teacher calls each check: "hidden check", with a number where there are several."""
    kinds = {check.name: check.name.partition("--")[2].rpartition("-")[0] for check in exercise.checks}
    several = {kind for kind, number in Counter(kinds.values()).items() if number > 1}
    ends = {name: f" {name.rpartition('-')[2]}" if kind in several else "" for name, kind in kinds.items()}
    return {name: f"{KINDS.get(kind, name)}{ends[name]}" for name, kind in kinds.items()}


PASSES_EVERYTHING, BLANK = "passes everything", "blank"
IDENTICAL_TEXT, SINGLE_ANSWERS = "identical text", "answers"
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
    settled = ((PASSES_EVERYTHING,), (BLANK,))  # these ask for nothing, unless somebody's text waits
    named = [
        Group(key[0], tuple(members), key in settled and not any(card.waits for card in members))
        for key, members in found.items()
    ]
    last = {PASSES_EVERYTHING: 1, BLANK: 2}
    ordered = sorted(named, key=lambda group: (last.get(group.title, 0), -len(group.cards)))
    return ordered if has_checks else _singles_together(ordered)


def _failure(card):
    """A name, and what identifies the failure: each failed check's corner, or its message without numbers."""
    failed = [verdict for verdict in card.verdicts if not verdict.passed]
    said = [f"fails the {verdict.check}{_where(verdict)}" for verdict in failed]
    more = f", and {len(said) - 1} more" if len(said) > 1 else ""
    return (said[0] + more, *said) if said else (PASSES_EVERYTHING,)


def _where(verdict):
    return f" at: {verdict.corner}" if verdict.corner else f": {without_numbers(verdict.message)}"


def without_numbers(message: str) -> str:
    """The first line of a message, with "…" for numbers and arrays: they would split a group."""
    line = next(iter(message.strip().splitlines()), "")[: 4 * LONGEST]
    for error in PLAIN_ERRORS:
        line = line.removeprefix(f"{error}: ")
    short = " ".join(ARRAY.sub("[…]", NUMBER.sub("…", line)).split())
    return short if len(short) <= LONGEST else short[: LONGEST - 1] + "…"


def _text(card):
    """A name, and what identifies a text: its words."""
    return (IDENTICAL_TEXT, *(tuple(piece.source.split()) for piece in card.work.pieces))


def _singles_together(found):
    """Groups of equal texts under one name, and all answers that are like no other in one group."""
    blank = [group for group in found if group.title == BLANK]
    written = [group for group in found if group.title != BLANK]
    singles = tuple(card for group in written if len(group.cards) == 1 for card in group.cards)
    twins = [Group(IDENTICAL_TEXT, group.cards) for group in written if len(group.cards) > 1]
    return [*([Group(SINGLE_ANSWERS, singles)] if singles else []), *twins, *blank]
