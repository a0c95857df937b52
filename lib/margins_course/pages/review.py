"""The pages on which a teacher marks: an index and a page for each exercise, with all answers to it.

They load nothing and run one script, ours.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from margins_course.assignments.due_dates import LateRule
from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.collecting.records import Record, file_beside, files_beside, read_records
from margins_course.folder import CourseFolder
from margins_course.grading.results import HandMark, Result, Work, read_hand_marks
from margins_course.grading.totals import Total, given_texts, totals
from margins_course.pages.received_marks import SentMark, enter_mark, mark_as_json
from margins_course.pages.review_cards import Card, cards, groups
from margins_course.pages.student_html import ANSWER_CSS, answer_html, content_security_policy
from margins_course.pages.templates import HERE, render
from margins_course.wording import duration

SCRIPTS = [HERE / name for name in ("review_saving.js", "review.js", "review_keys.js")]
SCRIPT = "\n".join(['"use strict";', *(path.read_text(encoding="utf-8") for path in SCRIPTS)])
STYLE = ANSWER_CSS + (HERE / "review.css").read_text(encoding="utf-8")
POLICY = content_security_policy(STYLE, SCRIPT)


@dataclass(frozen=True)
class ClassWork:
    """All that the pages show of an assignment: the sheet, and who handed in what and has which marks."""

    sheet: Sheet
    totals: list[Total]
    given: set[str]  # the cells of the notebook that students got
    late: LateRule
    files: Mapping[str, list[Record]]  # beside the notebooks, by student
    key: str  # tells the marks of two course folders apart in one browser

    def cards(self, exercise: Exercise) -> list[Card]:
        return cards(exercise, self.totals, self.given)

    @property
    def results(self) -> dict[str, Result]:
        return {total.student.id: total.result for total in self.totals if total.result}


def read_class(course: CourseFolder, name: str) -> ClassWork:
    """What the course folder has of an assignment now."""
    sheet = read_sheet(course.source_text(name))
    key = hashlib.sha256(f"{course.root}\0{name}".encode()).hexdigest()[:12]
    given, late = given_texts(course, name), read_settings(course, name).late
    files = files_beside(course, name, read_records(course, name))
    return ClassWork(sheet, totals(course, name), given, late, files, key)


def page(handed_in: ClassWork, file: str) -> str | None:
    if file == "index.html":
        return index_page(handed_in)
    found = [exercise for exercise in handed_in.sheet.exercises if file_of(exercise) == file]
    return exercise_page(handed_in, found[0]) if found else None


def file_of(exercise: Exercise) -> str:
    return f"exercise-{exercise.label}.html"


def index_page(handed_in: ClassWork) -> str:
    rows = [(exercise, handed_in.cards(exercise)) for exercise in handed_in.sheet.exercises]
    return _render("review_index.html", handed_in, rows=rows, totals=handed_in.totals)


def exercise_page(handed_in: ClassWork, exercise: Exercise) -> str:
    """The page of one exercise: its statement, then all answers side by side in groups."""
    answers = handed_in.cards(exercise)
    present = {card.student.id for card in answers}
    absent = [total for total in handed_in.totals if total.student.id not in present]
    place = handed_in.sheet.exercises.index(exercise)
    return _render(
        "review_exercise.html",
        handed_in,
        exercise=exercise,
        place=place,
        answers=answers,
        groups=groups(answers),
        absent=absent,
        data=_data(handed_in, exercise, answers),
        answer_html=_answer,
    )


def _data(handed_in, exercise, answers):
    """What the script of an exercise's page begins with: no text in this JSON can end its element."""
    marks = {card.student.id: mark_as_json(card.mark) for card in answers if card.mark}
    points = [line.points for line in exercise.rubric]
    known = {"assignment": handed_in.sheet.name, "exercise": exercise.label, "key": handed_in.key}
    text = json.dumps(known | {"marks": marks, "rubric": points})
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


_answer = lru_cache(maxsize=5_000)(answer_html)  # pages are made again after each mark, answers seldom change


def _render(template, handed_in, **what):
    known = {"sheet": handed_in.sheet, "late": handed_in.late, "files": handed_in.files}
    helpers = {"file_of": file_of, "lateness": lateness}
    return render(template, STYLE, SCRIPT, **known, **helpers, **what)


def lateness(seconds: float, rule: LateRule) -> str:
    """How late work came, and whether that is within the grace."""
    return f"{duration(seconds)} late" + (", which costs nothing" if rule.factor(seconds) >= 1 else "")


class ReviewState:
    """The pages and answers of one assignment, read anew when a file of the course has changed."""

    def __init__(self, course: CourseFolder, name: str):
        self.course, self.name = course, name
        self._seen: frozenset = frozenset()
        self._now: ClassWork | None = None

    def now(self) -> ClassWork:
        """The class as the files are now."""
        seen = self._files()
        if self._now is None or seen != self._seen:
            self._now, self._seen = read_class(self.course, self.name), seen
        return self._now

    def _files(self):
        """What identifies the state of all files that the pages are made from."""
        course, name = self.course, self.name
        folders = (course.settings(name).parent, course.result(name, "x").parent, course.deliveries(name))
        files = [path for folder in folders if folder.is_dir() for path in folder.iterdir()]
        files += [course.hand_marks(name), course.source(name), course.roster]
        return frozenset((f, s.st_mtime_ns, s.st_size) for f in files if f.is_file() and (s := f.stat()))

    def page(self, file: str) -> str | None:
        return page(self.now(), file)

    def other_file(self, sha256: str) -> tuple[str, bytes] | None:
        """Name and content of a file that somebody handed in beside a notebook, or None."""
        for files in self.now().files.values():
            for file in files:
                if file.sha256 == sha256:
                    return file.own_name, file_beside(self.course, self.name, sha256).read_bytes()
        return None

    def marks(self, exercise: str) -> dict:
        marks = read_hand_marks(self.course, self.name)
        return {student: mark_as_json(mark) for (student, label), mark in marks.items() if label == exercise}

    def fingerprint(self, student: str, exercise: str) -> str | None:
        """What identifies an answer now, None if there is none such."""
        handed_in = self.now()
        result = handed_in.results.get(student)
        if result is None or exercise not in [e.label for e in handed_in.sheet.exercises]:
            return None
        return result.work.get(exercise, Work()).fingerprint

    def enter(self, sent: SentMark) -> HandMark:
        """The mark as the journal has it after it was entered."""
        return enter_mark(self.course, self.name, sent, self.now().sheet)
