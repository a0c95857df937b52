"""What the review page shows of one answer: whose it is, what each check said, and the state of its mark.

(book: Teaching with this book, Review)
"""

from dataclasses import dataclass
from datetime import datetime

from margins_course.assignments.sheet import Exercise
from margins_course.collecting.roster import Student
from margins_course.grading.hand_marks import HandMark
from margins_course.grading.results import Result, Work
from margins_course.grading.totals import Total

NOT_MARKED, CHANGED = "not marked", "The answer changed after it was marked: look again"
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
    late: str
    verdicts: tuple[Verdict, ...]
    work: Work
    mark: HandMark | None
    is_blank: bool
    automatic: float
    out_of: float
    by_rubric: bool

    @property
    def is_stale(self) -> bool:
        return self.mark is not None and self.mark.fingerprint != self.work.fingerprint

    @property
    def is_marked(self) -> bool:
        """Whether a mark counts; where there is a rubric, a comment alone is none."""
        return self.mark is not None and not self.is_stale and self.mark.lines is not None

    @property
    def waits(self) -> bool:
        """Whether a person must look at the answer."""
        return self.is_stale or (self.by_rubric and not self.is_blank and not self.is_marked)

    @property
    def state(self) -> str:
        if self.is_stale:
            return CHANGED
        if self.is_marked:
            return f"marked {clock(self.mark.when)}"
        return NOT_MARKED if self.by_rubric else ""


def cards(
    exercise: Exercise,
    totals: list[Total],
    results: dict[str, Result],
    marks: dict[tuple[str, str], HandMark],
    given: frozenset[str] = frozenset(),
) -> list[Card]:
    """The answers to one exercise in the order of the roster; `given` holds the cells that students got."""
    handed_in = [total for total in totals if total.student.id in results]
    return [
        _card(exercise, number, total, results[total.student.id], marks, given)
        for number, total in enumerate(handed_in, 1)
    ]


def _card(exercise, number, total, result, marks, given):
    work = result.work.get(exercise.label, Work())
    return Card(
        student=total.student,
        number=number,
        late=lateness(total.standing.seconds_late),
        verdicts=tuple(verdicts(exercise, result)),
        work=work,
        mark=marks.get((total.student.id, exercise.label)),
        is_blank=all(not piece.source.strip() or piece.source.strip() in given for piece in work.pieces),
        automatic=sum(result.points.get(check.name, 0.0) for check in exercise.checks),
        out_of=exercise.points,
        by_rubric=bool(exercise.rubric),
    )


def verdicts(exercise: Exercise, result: Result):
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


def lateness(seconds: float) -> str:
    """How late something came: "2 h 5 min", and nothing where it came in time."""
    minutes = round(seconds / 60)
    days, hours = divmod(minutes // 60, 24)
    parts = ((days, "d"), (hours, "h"), (minutes % 60, "min"))
    if seconds <= 0:
        return ""
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "less than a minute"


def clock(when: str) -> str:
    """The time of day here of an ISO moment, with the date unless it is today's."""
    moment = datetime.fromisoformat(when).astimezone()
    today = moment.date() == datetime.now().date()
    return f"{moment:%H:%M}" if today else f"{moment.day} {moment:%B, %H:%M}"
