"""The members of a canary class: notebooks whose marks are known, made from what students were given.

(book: Teaching with this book, Grade)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

import nbformat

from margins_course.assignments.cells import grade_id, label_of, role
from margins_course.assignments.sheet import Exercise, Sheet
from margins_course.assignments.trials import WRONG
from margins_course.grading.hostile import FULL, NOTHING, Targets, attacks, patched
from margins_course.grading.judge import judged
from margins_course.grading.one_process import OneProcess
from margins_course.grading.reference import read_reference
from margins_course.problems import CourseProblem
from margins_course.sandbox.answers import Limits

Points = dict[str, float | None]  # by check; None: whatever it earns is right


@dataclass(frozen=True)
class Canary:
    """One submission: what it is, its file, and the points that each check must give."""

    who: str
    content: bytes
    expected: Points
    is_hostile: bool = False


@dataclass(frozen=True)
class Mistake:
    """A known mistake in one exercise, and what its checks must give."""

    label: str
    title: str
    code: str
    points: Points


def known_mistakes(source: str, limits: Limits) -> list[Mistake]:
    """The known mistakes in an instructor's notebook, with the points that they get in one process."""
    reference, found = read_reference(source), []
    for cell in reference.solutions:
        for title, code in cell.metadata.get(WRONG, {}).items():
            verdicts = judged(reference, OneProcess(reference, code), limits, only=label_of(cell))
            if all(verdicts.points.values()):
                raise CourseProblem(
                    f"{label_of(cell)}: a known mistake ({title}) passes every check; release again"
                )
            found.append(Mistake(label_of(cell), title, code, verdicts.points))
    return found


class CanaryClass:
    """The maker of canaries, from the notebook that students get, and solutions and sheet of yours."""

    def __init__(self, source: str, released: str, sheet: Sheet):
        cells = nbformat.reads(source, as_version=4).cells
        solutions = [cell for cell in cells if cell.cell_type == "code" and role(cell).solution]
        self.solutions = {label_of(cell): cell.source for cell in solutions}
        self.exercises = {e.label: e for e in sheet.exercises if e.label in self.solutions}
        self.sheet, self.released = sheet, released

    def honest(self) -> Iterator[Canary]:
        """The reference and the blank notebook."""
        yield self._canary("the reference", self.solutions, {})
        nothing = {name: 0.0 for exercise in self.sheet.exercises for name in _earned(exercise, 0)}
        yield Canary("the blank notebook", self.released.encode(), nothing)

    def mistaken(self, mistakes: list[Mistake]) -> Iterator[Canary]:
        """Every known mistake, those of different exercises together; the other answers are right."""
        rows = [[one for one in mistakes if one.label == label] for label in self.solutions]
        for made in zip_longest(*rows):
            made = [one for one in made if one]
            answers = self.solutions | {one.label: one.code for one in made}
            points = {name: value for one in made for name, value in one.points.items()}
            yield self._canary("; ".join(f"{one.label}: {one.title}" for one in made), answers, points)

    def hostile(self, targets: Targets) -> Iterator[Canary]:
        """Every attack; where there are several exercises, each submission has one that is right."""
        labels, waiting = list(self.solutions), attacks(targets)
        size = max(1, len(labels) - 1)
        for first in range(0, len(waiting), size):
            turned = labels[first % len(labels) :] + labels[: first % len(labels)]
            chosen = dict(zip(turned, waiting[first : first + size], strict=False))
            yield self._attacked(chosen)
        wrong = {label: patched(exercise.functions) for label, exercise in self.exercises.items()}
        points = {name: 0.0 for exercise in self.exercises.values() for name in _earned(exercise, 0)}
        yield self._canary("every answer wrong, NumPy and Python patched", wrong, points, is_hostile=True)

    def _attacked(self, chosen):
        answers, points = dict(self.solutions), {}
        for label, attack in chosen.items():
            exercise = self.exercises[label]
            answers[label] = attack.applied(self.solutions[label], list(exercise.functions))
            earned = {FULL: 1.0, NOTHING: 0.0}.get(attack.earns)
            points |= _earned(exercise, earned)
        who = "; ".join(f"{label} {attack.name}" for label, attack in chosen.items())
        return self._canary(who, answers, points, is_hostile=True)

    def _canary(self, who, answers, points, is_hostile=False):
        """A submission of some answers; what `points` does not say is earned in full."""
        notebook = nbformat.reads(self.released, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code" and grade_id(cell).partition("--")[2].startswith("solution"):
                cell.source = answers[label_of(cell)]
        full = {name: worth for e in self.exercises.values() for name, worth in _earned(e, 1).items()}
        return Canary(who, nbformat.writes(notebook).encode(), full | points, is_hostile)


def _earned(exercise: Exercise, share: float | None) -> Points:
    """A share of the points of each check of an exercise; None for whatever it earns."""
    return {check.name: None if share is None else share * check.points for check in exercise.checks}
