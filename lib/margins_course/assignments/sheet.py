"""The exercise sheet of an assignment: what each exercise asks, how it is checked and by what rubric.

It is kept in the metadata of the instructor's notebook, from where all later steps read it.
"""

import dataclasses
import json
from dataclasses import dataclass

from margins_book.page.exercise_text import Line

KEY = "margins_course"


@dataclass(frozen=True)
class Check:
    """One check of a coded exercise: its cell's name and what it is worth."""

    name: str
    points: float
    hidden: bool


@dataclass(frozen=True)
class Exercise:
    """One exercise: texts are Markdown, `page` is the address of its place in the published book."""

    label: str
    title: str
    kind: str  # as the chapter says: code, prove, explore, research, code and research
    stars: int
    chapter: str
    page: str
    statement: str
    solution: str = ""
    functions: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    rubric: tuple[Line, ...] = ()

    @property
    def rubric_points(self) -> float:
        return _sum(self.rubric)

    @property
    def points(self) -> float:
        return _sum((*self.checks, *self.rubric))

    @property
    def worth(self) -> list[float]:
        """The points of each check, then of each line of the rubric."""
        return [*(check.points for check in self.checks), *(line.points for line in self.rubric)]


@dataclass(frozen=True)
class Sheet:
    """All exercises of an assignment, in the order in which students see them."""

    name: str
    title: str
    exercises: tuple[Exercise, ...]

    @property
    def points(self) -> float:
        return _sum(self.exercises)

    def exercise(self, label: str) -> Exercise:
        return next(exercise for exercise in self.exercises if exercise.label == label)


def _sum(parts: tuple) -> float:
    """The points of parts together, without the rounding errors of binary fractions."""
    return round(sum(part.points for part in parts), 9)


def as_metadata(sheet: Sheet) -> dict:
    """The sheet as JSON for the metadata of the instructor's notebook."""
    return {KEY: dataclasses.asdict(sheet)}


def read_sheet(source: str) -> Sheet:
    """The sheet of an instructor's notebook, from the notebook's text."""
    kept = json.loads(source)["metadata"][KEY]
    return Sheet(kept["name"], kept["title"], tuple(map(_exercise, kept["exercises"])))


def _exercise(kept: dict) -> Exercise:
    checks = tuple(Check(**check) for check in kept["checks"])
    rubric = tuple(Line(**line) for line in kept["rubric"])
    parts = {"functions": tuple(kept["functions"]), "checks": checks, "rubric": rubric}
    return Exercise(**(kept | parts))
