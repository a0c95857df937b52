"""The pages on which a teacher marks: an index and a page for each exercise, with all answers to it.

They load nothing and run one script, ours. A page names the version of the mark that it began from. Where the
journal has another by now, nothing is written and both are shown.
"""

import dataclasses
import hashlib
import json
from functools import lru_cache

from margins_course import CourseProblem
from margins_course.assignments.due_dates import LateRule
from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import Exercise, read_sheet
from margins_course.collecting.records import file_beside, files_beside, read_records
from margins_course.folder import UNREADABLE, CourseFolder, locked
from margins_course.grading.results import HandMark, Result, append_hand_mark, mark_from_json, read_hand_marks
from margins_course.grading.totals import given_texts, totals
from margins_course.pages.review_cards import Card, cards, groups
from margins_course.pages.student_html import ANSWER_CSS, answer_html, content_security_policy
from margins_course.pages.templates import HERE, render
from margins_course.wording import duration

SCRIPTS = [HERE / name for name in ("review_saving.js", "review.js", "review_keys.js")]
SCRIPT = "\n".join(['"use strict";', *(path.read_text(encoding="utf-8") for path in SCRIPTS)])
STYLE = ANSWER_CSS + (HERE / "review.css").read_text(encoding="utf-8")
POLICY = content_security_policy(STYLE, SCRIPT)


def file_of(exercise: Exercise) -> str:
    return f"exercise-{exercise.label}.html"


class ClassWork:
    """All that the pages show of an assignment: the sheet, and who handed in what and has which marks."""

    def __init__(self, course: CourseFolder, name: str) -> None:
        self.sheet, self.totals = read_sheet(course.source_text(name)), totals(course, name)
        self.given, self.late = given_texts(course, name), read_settings(course, name).late
        self.files = files_beside(course, name, read_records(course, name))
        # tells the marks of two course folders apart in one browser
        self.key = hashlib.sha256(f"{course.root}\0{name}".encode()).hexdigest()[:12]

    @property
    def results(self) -> dict[str, Result]:
        return {total.student.id: total.result for total in self.totals if total.result}

    def page(self, file: str) -> str | None:
        """A page by the name of its file, None if there is none such."""
        shown = [e for e in self.sheet.exercises if file in ("index.html", file_of(e))]
        rows = [(exercise, cards(exercise, self.totals, self.given)) for exercise in shown]
        if file == "index.html":
            return self._render("review_index.html", rows=rows, totals=self.totals)
        return self._exercise_page(*rows[0]) if rows else None

    def _exercise_page(self, exercise: Exercise, answers: list[Card]) -> str:
        """The page of one exercise: its statement, then all answers side by side in groups."""
        present = {card.student.id for card in answers}
        return self._render(
            "review_exercise.html",
            exercise=exercise,
            place=self.sheet.exercises.index(exercise),
            answers=answers,
            groups=groups(answers),
            absent=[total for total in self.totals if total.student.id not in present],
            data=_data(self, exercise, answers),
            answer_html=_answer,
        )

    def _render(self, template: str, **what: object) -> str:
        known = {"sheet": self.sheet, "late": self.late, "files": self.files}
        return render(template, STYLE, SCRIPT, file_of=file_of, lateness=lateness, **known, **what)


def _data(handed_in, exercise, answers):
    """What the script of an exercise's page begins with: no text in this JSON can end its element."""
    marks = {card.student.id: mark_as_json(card.mark) for card in answers if card.mark}
    points = [line.points for line in exercise.rubric]
    known = {"assignment": handed_in.sheet.name, "exercise": exercise.label, "key": handed_in.key}
    text = json.dumps(known | {"marks": marks, "rubric": points})
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


_answer = lru_cache(maxsize=5_000)(answer_html)  # pages are made again after each mark, answers seldom change


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
            self._now, self._seen = ClassWork(self.course, self.name), seen
        return self._now

    def _files(self):
        """What identifies the state of all files that the pages are made from."""
        course, name = self.course, self.name
        folders = (course.settings(name).parent, course.result(name, "x").parent, course.deliveries(name))
        files = [path for folder in folders if folder.is_dir() for path in folder.iterdir()]
        files += [course.hand_marks(name), course.source(name), course.roster]
        return frozenset((f, s.st_mtime_ns, s.st_size) for f in files if f.is_file() and (s := f.stat()))

    def other_file(self, sha256: str) -> tuple[str, bytes] | None:
        """Name and content of a file that somebody handed in beside a notebook, or None."""
        everything = (file for files in self.now().files.values() for file in files)
        found = next((file for file in everything if file.sha256 == sha256), None)
        if found is None:
            return None
        return found.own_name, file_beside(self.course, self.name, sha256).read_bytes()

    def marks(self, exercise: str) -> dict:
        marks = read_hand_marks(self.course, self.name)
        return {student: mark_as_json(mark) for (student, label), mark in marks.items() if label == exercise}

    def fingerprint(self, student: str, exercise: str) -> str | None:
        """What identifies an answer now, None if there is none such."""
        handed_in = self.now()
        result = handed_in.results.get(student)
        if result is None or exercise not in [e.label for e in handed_in.sheet.exercises]:
            return None
        work = result.work.get(exercise)
        return work.fingerprint if work else ""

    def enter(self, mark: HandMark, base: str) -> HandMark:
        """The mark as the journal has it now; `NewerMark` where it is not `base`, which the page had seen."""
        folder = self.course.hand_marks(self.name).parent
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):  # no other review of the course reads or writes the journal meanwhile
            stored = read_hand_marks(self.course, self.name).get((mark.student, mark.exercise))
            if stored is not None and dataclasses.replace(stored, when=mark.when) == mark:
                return stored  # the answer to the page was lost on its way
            if stored is not None and version(stored) != base:
                raise NewerMark(stored)
            return append_hand_mark(self.course, self.name, mark, self.now().sheet)


FIELDS = {"student", "exercise", "fingerprint", "lines", "adjust", "comment"}


class NewerMark(Exception):  # noqa: N818 - it is no error of the program's
    """Another mark of the same answer, which the page had not seen; its argument is that mark."""


def version(mark: HandMark) -> str:
    """A name for all that a mark says and for when it was written."""
    return hashlib.sha256(json.dumps(dataclasses.asdict(mark), sort_keys=True).encode()).hexdigest()[:16]


def mark_as_json(mark: HandMark) -> dict:
    """A mark as the page reads it."""
    return dataclasses.asdict(mark) | {"version": version(mark)}


def read_sent_mark(data: object) -> tuple[HandMark, str]:
    """The mark in an object that came from a page, and the version that the page began from ("": none)."""
    fields = dict(data) if isinstance(data, dict) else {}
    base = fields.pop("base", None)
    if fields.keys() != FIELDS or not isinstance(base, str):
        raise CourseProblem(f"expected a mark with {', '.join(sorted(FIELDS))} and base")
    try:
        return mark_from_json(fields), base
    except UNREADABLE as reason:
        raise CourseProblem(f"this is no mark: {reason}") from None
