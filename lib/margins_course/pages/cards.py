"""What the review page shows of one answer: whose it is, what each check said, and the state of its mark.

(book: Teaching with this book, Review)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from margins_course.assignments.sheet import Exercise
from margins_course.collecting.roster import Student
from margins_course.grading.hand_marks import HandMark
from margins_course.grading.results import Result, Work
from margins_course.grading.totals import CHANGED, RUBRIC_CHANGED, Total, is_empty, needs_reader, why_stale

NOT_MARKED = "not marked"
STALE = {  # review.js says the same
    CHANGED: "The answer changed after it was marked: look again",
    RUBRIC_CHANGED: "The rubric changed after it was marked: mark it again",
}
KINDS = {"hidden-check": "hidden check", "private-check": "your own check", "check": "visible check"}


@dataclass(frozen=True)
class Verdict:
    """What one check said about one answer."""

    check: str
    points: float
    out_of: float
    passed: bool
    said: str
    corner: str


@dataclass(frozen=True)
class Card:
    """One answer with all that its reader needs; `number` stands for the name where names are hidden."""

    student: Student
    number: int
    seconds_late: float
    verdicts: tuple[Verdict, ...]
    work: Work
    mark: HandMark | None
    is_blank: bool
    has_text: bool  # something that is marked by the rubric
    automatic: float
    exercise: Exercise

    @property
    def is_stale(self) -> bool:
        """Whether the mark belongs to another answer or to another rubric."""
        return bool(self.why_stale)

    @property
    def why_stale(self) -> str:
        """Why the mark does not count, "" if it does or if there is none."""
        return why_stale(self.exercise, self.work, self.mark) if self.mark else ""

    @property
    def is_marked(self) -> bool:
        """Whether a mark counts; where there is a rubric, a comment alone is none."""
        return self.mark is not None and not self.is_stale and self.mark.lines is not None

    @property
    def waits(self) -> bool:
        """Whether a person must look at the answer."""
        return self.is_stale or (bool(self.exercise.rubric) and self.has_text and not self.is_marked)

    @property
    def state(self) -> str:
        """What has become of the mark, in words."""
        if self.is_stale:
            return STALE[self.why_stale]
        if self.is_marked:
            return f"marked {clock(self.mark.when)}"
        return NOT_MARKED if self.waits else ""


def cards(
    exercise: Exercise,
    totals: list[Total],
    results: dict[str, Result],
    marks: dict[tuple[str, str], HandMark],
    given: set[str],
) -> list[Card]:
    """The answers to one exercise in the order of the roster; `given` has the cells that students got."""
    handed_in = [total for total in totals if total.exercises and total.student.id in results]
    return [
        _card(exercise, place, total, results[total.student.id], marks, given)
        for place, total in enumerate(handed_in, 1)
    ]


def _card(exercise, place, total, result, marks, given):
    work = result.work.get(exercise.label, Work())
    return Card(
        student=total.student,
        number=place,
        seconds_late=total.standing.seconds_late,
        verdicts=tuple(verdicts(exercise, result)),
        work=work,
        mark=marks.get((total.student.id, exercise.label)),
        is_blank=is_empty(work, given),
        has_text=needs_reader(exercise, work, given),
        automatic=sum(result.points.get(check.name, 0.0) for check in exercise.checks),
        exercise=exercise,
    )


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
    return {
        name: KINDS.get(kind, name) + (f" {_last(name)}" if list(kinds.values()).count(kind) > 1 else "")
        for name, kind in kinds.items()
    }


def _last(name):
    return name.rpartition("-")[2]


def clock(when: str) -> str:
    """The time of day here of an ISO moment, with the date unless it is today's."""
    moment = datetime.fromisoformat(when).astimezone()
    today = moment.date() == datetime.now().date()
    return f"{moment:%H:%M}" if today else f"{moment.day} {moment:%B, %H:%M}"
