"""The canary class: submissions with known marks, and hostile ones, marked before any student's.

They pass through the same sandbox with the same checks. Where one does not get the points that it deserves,
or an attack reaches anything, nothing is marked. Else a dated certificate says what was tried.
(book: Teaching with this book, Grade)
"""

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from margins_course.assignments.sheet import read_sheet
from margins_course.folder import CourseFolder, write
from margins_course.grading import certificate
from margins_course.grading.canaries import Canary, CanaryClass, known_mistakes
from margins_course.grading.certificate import Tried
from margins_course.grading.environment import environment_hash
from margins_course.grading.results import Result, as_json
from margins_course.grading.watch import Watch
from margins_course.grading.workers import each, marked, workers
from margins_course.problems import CourseProblem
from margins_course.sandbox.answers import Limits

LIMITS = Limits()
SHORT = Limits(call=2.5, check=8.0, submission=60.0, exercise=12.0)  # for those that would use up any time


def prove_class(
    course: CourseFolder, name: str, *, unsafe: bool = False, progress=lambda *_: None, pool=None
) -> Path:
    """The file that certifies a canary class got its marks, or a CourseProblem that says who did not.

    Without a sandbox (`unsafe`) nothing hostile is tried. A certificate of the same day, machine and key
    is not made anew.
    """
    source, released = (course.notebook(step, name).read_text("utf-8") for step in ("source", "release"))
    made = Proof(source, released, unsafe)
    path = course.report(f"{name}-certificate.txt")
    if certificate.is_current(path, made.key):
        return path
    with contextlib.ExitStack() as stack:
        pool = pool or stack.enter_context(workers())
        tried = list(made.tried(course.root, pool, progress))
    write(path, certificate.text(name, made.key, tried, unsafe=unsafe, moment=datetime.now().astimezone()))
    return path


@dataclass(frozen=True)
class Proof:
    """One run of a canary class."""

    source: str
    released: str
    unsafe: bool

    @property
    def key(self) -> str:
        """What a certificate rests on: environment and notebooks."""
        parts = (environment_hash(unsafe=self.unsafe), self.source, self.released)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def tried(self, folder: Path, pool, progress) -> Iterator[Tried]:
        """Every canary with the points that it got, or a CourseProblem."""
        maker = CanaryClass(self.source, self.released, read_sheet(self.source))
        mistakes = pool.submit(known_mistakes, self.source, LIMITS)
        with Watch(folder) as watch:
            members = [*maker.honest(), *([] if self.unsafe else maker.hostile(watch.targets))]
            jobs = [self._submitted(pool, canary) for canary in members]
            mistaken = list(maker.mistaken(mistakes.result()))
            jobs += [self._submitted(pool, canary) for canary in mistaken]
            members += mistaken
            for number, result in each(dict(enumerate(jobs)), progress):
                yield self._judged(pool, members[number], result, watch)
            if damage := watch.damage():
                raise CourseProblem(f"a hostile canary got out of the sandbox: {damage}. {NOTHING_MARKED}")

    def _submitted(self, pool, canary: Canary):
        limits = SHORT if canary.is_hostile else LIMITS
        return pool.submit(marked, canary.who, canary.content, self.source, limits, self.unsafe)

    def _judged(self, pool, canary: Canary, result: Result, watch: Watch) -> Tried:
        """A canary that got what it deserves; on a busy machine a hostile one is given more time."""
        if canary.is_hostile and _difference(canary, result):
            again = pool.submit(marked, canary.who, canary.content, self.source, LIMITS, self.unsafe)
            result = again.result()
        if difference := _difference(canary, result):
            raise CourseProblem(
                f"the canary class was not marked as it must be. {difference} {NOTHING_MARKED}"
            )
        if watch.word in as_json(result):
            raise CourseProblem(
                f"the canary {canary.who!r} read a file outside of the sandbox. {NOTHING_MARKED}"
            )
        return Tried(canary.who, canary.expected, sum(result.points.values()))


NOTHING_MARKED = (
    "Nothing was marked. If the message speaks of time, mark on a machine that has less to do; else look at "
    "what changed on this machine since the release, and release again"
)


def _difference(canary: Canary, result: Result) -> str:
    """Who got what from which check and should have got something else, "" if nobody."""
    for check, points in canary.expected.items():
        came = result.points[check]
        if points is not None and came != points:
            said = result.messages[check] or "the check passes"
            return f"Canary: {canary.who}. Check: {check}. Expected: {points:g}. Came: {came:g} ({said})."
    return ""
