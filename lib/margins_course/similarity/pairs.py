"""Pairs of similar answers: they share fingerprints, each weighted by how rare it is in the class."""

import contextlib
import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from margins_course.assignments.sheet import Exercise
from margins_course.grading.results import Result
from margins_course.sandbox.process import SandboxFailure, SandboxProcess

LONGEST_ANSWER, SECONDS = 50_000, 10.0  # characters read of an answer, and the time to read a cell of it
FEWEST = 10  # fingerprints of an answer's own, below which two answers are alike by chance
ALIKE = 0.5  # the least share of the shorter answer's weight
MOST_PAIRS = 40  # of an exercise: a page that somebody reads
RUNS_TEXT = re.compile(r"\b(exec|eval|__import__)\s*\(")
LIBRARY = "from margins_course.similarity.fingerprints import fingerprints"
BOOK = "the book's own solution"


@dataclass(frozen=True)
class Answer:
    """A student's code for one exercise, and its fingerprints with the lines where they stand."""

    student: str
    source: str
    prints: dict[int, tuple[int, int]]

    def lines_of(self, shared: frozenset[int]) -> set[int]:
        spans = (self.prints[key] for key in shared)
        return {line for first, last in spans for line in range(first, last + 1)}


@dataclass(frozen=True)
class Pair:
    """Two answers to one exercise; `share` is the part of the shorter one's weight that both have."""

    first: Answer
    second: Answer
    share: float
    weight: float
    shared: frozenset[int]

    @property
    def is_word_for_word(self) -> bool:
        return self.first.source.split() == self.second.source.split()


class FingerprintReader(contextlib.AbstractContextManager):
    """A reader of students' code that takes fingerprints in the sandbox and names what it could not read."""

    def __init__(self) -> None:
        self.process: SandboxProcess | None = None
        self.unread: dict[str, str] = {}  # why something of a student's was compared with nothing

    def __exit__(self, *_: object) -> None:
        if self.process:
            self.process.close()

    def read(self, student: str, *cells: str, released: frozenset[int] = frozenset()) -> Answer:
        """An answer without the fingerprints of the `released` text; a bad cell hides no other."""
        prints, above, left = {}, 0, LONGEST_ANSWER
        for cell in cells:
            fits = len(cell) <= left
            found = self._ask(cell) if fits else None
            if found is None:
                self.unread[student] = "not Python" if fits else f"over {LONGEST_ANSWER} characters"
            for key, first, last in found or []:
                if key not in released:
                    prints[key] = (first + above, last + above)
            left, above = left - len(cell), above + cell.count("\n") + 2
        return Answer(student, "\n\n".join(cells)[:LONGEST_ANSWER], prints)

    def _ask(self, source: str) -> list[list[int]] | None:
        """The fingerprints of a cell; None if it cannot be read."""
        if self.process is None or not self.process.is_alive:
            self.process = SandboxProcess()
            self.process.ask({"run": LIBRARY, "name": "fingerprints"}, 30.0)
        try:
            reply = self.process.ask({"call": "fingerprints", "arguments": [[source], {}]}, SECONDS)
        except SandboxFailure:
            return None
        return None if type(reply) is not dict or "error" in reply else _checked(reply.get("value"))


def _checked(value) -> list[list[int]]:
    """The fingerprints in a reply of the sandbox: a hash and the numbers of two lines each."""
    rows = [row for row in value if type(row) is list and len(row) == 3] if type(value) is list else []
    rows = [row for row in rows if all(type(number) is int for number in row)]
    return [row for row in rows if 0 <= row[1] <= row[2] <= LONGEST_ANSWER]


def read_answers(
    exercise: Exercise, results: dict[str, Result], released: str, reader: FingerprintReader
) -> list[Answer]:
    """The answers of all students to an exercise, with the text that they were given taken out."""
    given = frozenset(reader.read("", released).prints)
    reader.unread.clear()
    cells = {student: code_of(result, exercise.label) for student, result in results.items()}
    answers = [reader.read(student, *own, released=given) for student, own in cells.items() if any(own)]
    for answer in answers:
        if found := RUNS_TEXT.search(answer.source):
            reader.unread[answer.student] = f"it uses {found[1]}, which can hide any code"
        elif len(answer.prints) < FEWEST:
            reader.unread.setdefault(answer.student, "too short")
    return [answer for answer in answers if len(answer.prints) >= FEWEST]


def code_of(result: Result, label: str) -> list[str]:
    work = result.work.get(label)
    return [piece.source for piece in work.pieces if piece.kind == "code"] if work else []


def pairs(answers: list[Answer]) -> list[Pair]:
    """The pairs that are most alike; what the whole class has weighs nothing."""
    seen = Counter(key for answer in answers for key in answer.prints)
    number = max(len(answers), 3)  # two answers alone can be alike
    found = []
    for one, other in combinations(answers, 2):
        shared = frozenset(one.prints.keys() & other.prints.keys())
        weight = sum(_weight(number, seen[key] - 1) for key in shared)
        own = [sum(_weight(number, seen[key]) for key in a.prints.keys() - shared) for a in (one, other)]
        share = weight / (weight + min(own)) if weight else 0.0
        if len(shared) >= FEWEST and share >= ALIKE:
            found.append(Pair(one, other, share, weight, shared))
    return sorted(found, key=lambda pair: (-pair.weight, pair.first.student))[:MOST_PAIRS]


def _weight(number: int, authors: int) -> float:
    """The weight of a fingerprint that so many of the class came to; two who share it count as one."""
    return math.log(number / min(authors + 1, number))


def like_the_book(solution: Answer, answers: list[Answer]) -> list[Pair]:
    """The answers that hold most of the published solution, which whoever looks can find."""
    found = []
    for answer in answers:
        shared = frozenset(answer.prints.keys() & solution.prints.keys())
        share = len(shared) / max(1, min(len(answer.prints), len(solution.prints)))
        if len(shared) >= FEWEST and share >= ALIKE:
            found.append(Pair(answer, solution, share, float(len(shared)), shared))
    return sorted(found, key=lambda pair: (-pair.share, pair.first.student))
