"""One exercise on the page of feedback: the answer, what the checks said, the rubric, what to try next.

Of a hidden check it tells whether it passed, and the case that it missed in the author's words; never more.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from margins_course.assignments.sheet import Check, Exercise
from margins_course.grading.results import HandMark, Result, Work
from margins_course.grading.totals import CHANGED, NOT_MARKED, RUBRIC_CHANGED, ExerciseScore
from margins_course.pages.student_html import authors_line
from margins_course.wording import format_points, points_in_words

GOOD, PART, BAD, OPEN = "good", "part", "bad", "open"
SIGNS = {GOOD: "✓", PART: "◐", BAD: "✗", OPEN: "–"}
WAITING_WORDS = {
    NOT_MARKED: "Your teacher has not marked this answer yet.",
    CHANGED: "The answer changed after it was marked; your teacher will read it again.",
    RUBRIC_CHANGED: "The rubric changed after this was marked; your teacher will read it again.",
}
PLAIN_ERRORS = ("AssertionError", "CheckFailed", "NotImplementedError", "StudentError")  # names add nothing


@dataclass(frozen=True)
class CheckLine:
    """What is said of one check; `corner` is HTML."""

    kind: str
    said: str
    worth: str
    corner: str = ""
    praise: str = ""
    message: str | None = None


@dataclass(frozen=True)
class FeedbackCard:
    """An exercise's part of the page; `answer` and `comment` are HTML that can do nothing."""

    exercise: Exercise
    score: ExerciseScore
    result: Result
    mark: HandMark | None
    answer: str
    comment: str

    @property
    def state(self) -> str:
        """Whether an exercise has all points, some, none, or waits."""
        points = self.score.points
        if points is None:
            return "waits"
        return "full" if points >= self.score.out_of else "some" if points > 0 else "none"

    @property
    def earned(self) -> str:
        """How many points out of how many, in words that a screen reader can say."""
        if self.score.points is None:
            return f"waits for {points_in_words(self.score.out_of)}"
        return _of(self.score.points, self.score.out_of)

    @property
    def next_step(self) -> str:
        """What to do where there are no points."""
        work = self.result.work.get(self.exercise.label, Work())
        if not any(piece.source.strip() for piece in work.pieces):
            first = "Nothing is written yet: begin with the statement, and write down what you know."
        elif self._visible_failed:
            first = "Read what the visible check says below, change your code and run it again."
        else:
            first = "Compare your answer with the statement in the book, line by line."
        there = "a hint" if "hint" in self.exercise.statement.lower() else "what this rests on"
        return f"{first} The book has {there}."

    @property
    def _visible_failed(self) -> bool:
        return any(self.result.messages.get(check.name) for check in self.exercise.checks if not check.hidden)

    @property
    def checks(self) -> list[CheckLine]:
        return [self._check(check) for check in self.exercise.checks]

    def _check(self, check: Check) -> CheckLine:
        name, message = "hidden" if check.hidden else "visible", self.result.messages.get(check.name)
        worth = _of(self.result.points.get(check.name, 0.0), check.points)
        if check.name in self.result.messages and message is None:
            praise = "" if check.hidden else self.result.praise.get(check.name, "")
            return CheckLine(GOOD, f"The {name} check passed.", worth, praise=praise)
        if not check.hidden:
            said = "The visible check failed. It says:"
            return CheckLine(BAD, said, worth, message=without_plain_error(message or ""))
        if self._visible_failed:
            said = "A hidden check was not tried, because the visible check fails."
            return CheckLine(OPEN, said, worth)
        corner = self.result.corners.get(check.name, "").strip()
        return CheckLine(BAD, "A hidden check failed.", worth, corner and _with_full_stop(corner))

    @property
    def has_words_by_hand(self) -> bool:
        """Whether there is a rubric, or something that a teacher gave or said."""
        said = self.mark is not None and (self.mark.adjust or self.comment)
        return bool(self.score.waits or self.exercise.rubric or said)

    @property
    def why_it_waits(self) -> str:
        return WAITING_WORDS[self.score.waits]

    @property
    def rubric(self) -> Iterator[tuple[str, str, str]]:
        """Kind, text and points of each line, which is open where it waits or where nobody read it."""
        given = self.mark.lines if self.mark is not None and not self.score.waits else None
        for number, line in enumerate(self.exercise.rubric):
            if given is None:
                yield OPEN, line.text, points_in_words(line.points)
                continue
            kind = GOOD if given[number] >= line.points else BAD if given[number] <= 0 else PART
            yield kind, line.text, _of(given[number], line.points)

    @property
    def adjusted(self) -> str:
        """What was added or taken off by hand."""
        more = self.mark.adjust if self.mark else 0.0
        done = f"added {points_in_words(more)}" if more > 0 else f"took off {points_in_words(-more)}"
        return f"Your teacher {done} by hand" + ("; the comment says why." if self.comment else ".")


def _of(points: float, most: float) -> str:
    return f"{format_points(points)} of {points_in_words(most)}"


def without_plain_error(message: str) -> str:
    """What a check said, without the name of an error that adds nothing."""
    message = message.replace("your function stopped with StudentError: ", "your function stopped: ")
    kind, _, said = message.partition(": ")
    return said if kind in PLAIN_ERRORS and said.strip() else message


def _with_full_stop(corner: str) -> str:
    """The author's words for a case, with a full stop."""
    html = authors_line(corner)
    return html if html.endswith((".", "!", "?")) else f"{html}."
