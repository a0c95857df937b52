"""The canary class: submissions with known marks, and hostile ones, marked before any student's.

They pass through the same sandbox with the same checks. Where one does not get the points that it deserves,
or an attack reaches anything, nothing is marked. Else a dated certificate says what was tried.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

import nbformat

from margins_course import CourseProblem
from margins_course.assignments.cells import grade_id, label_of, nbgrader_role
from margins_course.assignments.sheet import Exercise, read_sheet
from margins_course.assignments.trials import MISTAKES_KEY
from margins_course.folder import CourseFolder, write
from margins_course.grading.attacks import AttackTargets, attacks, patched
from margins_course.grading.environment import certificate_text, environment_hash, is_current_certificate
from margins_course.grading.grade import Progress, as_finished, grade, run_checks
from margins_course.grading.reference import InProcessAnswers, read_reference
from margins_course.grading.results import Result, as_json
from margins_course.sandbox.limits import LIMITS, Limits

Points = Mapping[str, float | None]  # by check; None: whatever it earns is right
Marking = Callable[["Canary", Limits], Future]


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
        for title, code in cell.metadata.get(MISTAKES_KEY, {}).items():
            verdicts = run_checks(reference, InProcessAnswers(reference, code), limits, only=label_of(cell))
            if all(verdicts.points.values()):
                problem = f"{label_of(cell)}: a known mistake ({title}) passes every check"
                raise CourseProblem(f"{problem}; release again")
            found.append(Mistake(label_of(cell), title, code, verdicts.points))
    return found


class CanaryClass:
    """Makes canaries from the students' notebook and the instructor's solutions and sheet."""

    def __init__(self, source: str, released: str):
        sheet, cells = read_sheet(source), nbformat.reads(source, as_version=4).cells
        solutions = [cell for cell in cells if cell.cell_type == "code" and nbgrader_role(cell).solution]
        self.solutions = {label_of(cell): cell.source for cell in solutions}
        self.exercises = {e.label: e for e in sheet.exercises if e.label in self.solutions}
        self.sheet, self.released = sheet, released

    def honest(self) -> Iterator[Canary]:
        """The reference and the blank notebook."""
        yield self._canary("the reference", self.solutions, {})
        yield Canary("the blank notebook", self.released.encode(), _points_of_checks(self.sheet.exercises, 0))

    def mistaken(self, mistakes: list[Mistake]) -> Iterator[Canary]:
        """Every known mistake, those of different exercises together; the other answers are right."""
        rows = [[one for one in mistakes if one.label == label] for label in self.solutions]
        for row in zip_longest(*rows):
            made = [one for one in row if one]
            answers = self.solutions | {one.label: one.code for one in made}
            points = {name: value for one in made for name, value in one.points.items()}
            yield self._canary("; ".join(f"{one.label}: {one.title}" for one in made), answers, points)

    def hostile(self, targets: AttackTargets) -> Iterator[Canary]:
        """Every attack; where there are several exercises, each submission has one that is right."""
        labels = list(self.solutions)
        waiting = attacks(targets) if labels else []  # of proofs alone nothing runs
        size = max(1, len(labels) - 1)
        for first in range(0, len(waiting), size):
            turned = labels[first % len(labels) :] + labels[: first % len(labels)]
            yield self._attacked(dict(zip(turned, waiting[first : first + size], strict=False)))
        wrong = {label: patched(exercise.functions) for label, exercise in self.exercises.items()}
        points = _points_of_checks(self.exercises.values(), 0)
        yield self._canary("every answer wrong, NumPy and Python patched", wrong, points, is_hostile=True)

    def _attacked(self, chosen):
        answers = dict(self.solutions)
        points: dict[str, float | None] = {}
        for label, attack in chosen.items():
            exercise = self.exercises[label]
            answers[label] = attack.applied(self.solutions[label], list(exercise.functions))
            points |= _points_of_checks([exercise], attack.earns)
        who = "; ".join(f"{label} {attack.name}" for label, attack in chosen.items())
        return self._canary(who, answers, points, is_hostile=True)

    def _canary(self, who, answers, points, is_hostile=False):
        """A submission of some answers; what `points` does not say is earned in full."""
        notebook = nbformat.reads(self.released, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code" and grade_id(cell).partition("--")[2].startswith("solution"):
                cell.source = answers[label_of(cell)]
        full = _points_of_checks(self.exercises.values(), 1)
        return Canary(who, nbformat.writes(notebook).encode(), full | points, is_hostile)


def _points_of_checks(exercises: Iterable[Exercise], share: float | None) -> dict[str, float | None]:
    """A share of the points of each check of some exercises; None for whatever it earns."""
    checks = [check for exercise in exercises for check in exercise.checks]
    return {check.name: None if share is None else share * check.points for check in checks}


# for those that would use up any time
HOSTILE_LIMITS = Limits(call=2.5, check=8.0, submission=60.0, exercise=12.0, patience=2.0)


def certify_class(
    course: CourseFolder, name: str, *, pool: Executor, progress: Progress = lambda *_: None
) -> Path:
    """The file that certifies a canary class got its marks, or a CourseProblem that says who did not.

    A certificate of the same day, machine and key is not made anew.
    """
    source, released = (course.notebook(step, name).read_text("utf-8") for step in ("source", "release"))
    parts = (environment_hash(), source, released)  # what a certificate rests on
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    path = course.report(f"{name}-certificate.txt")
    if is_current_certificate(path, key):
        return path

    def marked(canary: Canary, limits: Limits) -> Future:
        return pool.submit(grade, canary.content, source, limits)

    maker, mistakes = CanaryClass(source, released), pool.submit(known_mistakes, source, LIMITS)
    tried = list(_tried(maker, mistakes, marked, course.root, progress))
    write(path, certificate_text(name, key, tried, datetime.now().astimezone()))
    return path


def _tried(
    maker: CanaryClass, mistakes: Future, marked: Marking, folder: Path, progress: Progress
) -> Iterator[tuple[str, str, float]]:
    """Every canary with its known points in words and those that it got; a hostile one gets a second try."""
    with AttackTargets(folder) as watch:
        members = [*maker.honest(), *maker.hostile(watch)]
        jobs = [marked(canary, HOSTILE_LIMITS if canary.is_hostile else LIMITS) for canary in members]
        mistaken = list(maker.mistaken(mistakes.result()))
        jobs += [marked(canary, LIMITS) for canary in mistaken]
        members += mistaken
        for number, result in as_finished(dict(enumerate(jobs)), progress):
            canary = members[number]
            if canary.is_hostile and _difference(canary, result):
                result = marked(canary, LIMITS).result()
            if difference := _difference(canary, result):
                said = f"the canary class was not marked as it must be. {difference}"
                raise CourseProblem(f"{said} {NOTHING_MARKED}")
            if watch.secret in as_json(result):
                said = f"the canary {canary.who!r} read a file outside of the sandbox"
                raise CourseProblem(f"{said}. {NOTHING_MARKED}")
            known = list(canary.expected.values())
            words = f"{sum(filter(None, known)):g}" + (" or more" if None in known else "")
            yield canary.who, words, sum(result.points.values())
        if damage := watch.damage():
            raise CourseProblem(f"a hostile canary got out of the sandbox: {damage}. {NOTHING_MARKED}")


NOTHING_MARKED = (
    "Nothing was marked. If the message speaks of time, mark on a machine that has less to do; else look at "
    "what changed on this machine since the release, and release again"
)


def _difference(canary: Canary, result: Result) -> str:
    """The first check whose points differ from the known ones, in a sentence; "" if there is none."""
    for check, points in canary.expected.items():
        got = result.points[check]
        if points is not None and got != points:
            said = result.messages[check] or "the check passes"
            return f"Canary: {canary.who}. Check: {check}. Expected: {points:g}. Came: {got:g} ({said})."
    return ""
