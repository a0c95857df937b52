"""The pages on which a teacher marks: an index and a page for each exercise, with all answers to it.

They load nothing, run one script, ours, and are complete without it. (book: Teaching with this book, Review)
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from tornado.template import Loader

from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.folder import CourseFolder, write
from margins_course.grading.hand_marks import HandMark, read_hand_marks
from margins_course.grading.results import Result, Work, read_results
from margins_course.grading.totals import Total, given_texts, totals
from margins_course.pages.answers import ANSWER_CSS, answer_html
from margins_course.pages.cards import Card, cards
from margins_course.pages.exchange import as_wire
from margins_course.pages.groups import groups
from margins_course.pages.policy import policy
from margins_course.pages.student_text import authors_html, authors_line, words_html
from margins_course.problems import CourseProblem
from margins_course.words import duration, number

HERE = Path(__file__).parent
SCRIPTS = ("review_saving.js", "review.js", "review_keys.js")


@dataclass(frozen=True)
class HandedIn:
    """All that the pages show of an assignment: the sheet, and who handed in what and has which marks."""

    sheet: Sheet
    totals: list[Total]
    results: dict[str, Result]
    marks: dict[tuple[str, str], HandMark]
    given: set[str]  # the cells of the notebook that students got
    key: str  # tells the marks of two course folders apart in one browser

    def cards(self, exercise: Exercise) -> list[Card]:
        """The answers to an exercise."""
        return cards(exercise, self.totals, self.results, self.marks, self.given)


def write_review(course: CourseFolder, name: str, progress: Callable = print) -> Path:
    """The index of an assignment's review pages, all written anew from the files as they are."""
    handed_in = read_class(course, name)
    if not handed_in.results:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    files = ["index.html", *map(file_of, handed_in.sheet.exercises)]
    for done, file in enumerate(files, 1):
        write(course.review(name) / file, page(handed_in, file))
        progress(done, len(files))
    return course.review(name) / "index.html"


def read_class(course: CourseFolder, name: str) -> HandedIn:
    """What the course folder has of an assignment now."""
    sheet = read_sheet(course.source_text(name))
    key = hashlib.sha256(f"{course.root}\0{name}".encode()).hexdigest()[:12]
    results, marks = read_results(course, name), read_hand_marks(course, name)
    return HandedIn(sheet, totals(course, name), results, marks, given_texts(course, name), key)


def fingerprints(sheet: Sheet, results: dict[str, Result]) -> dict[tuple[str, str], str]:
    """What identifies each answer, by student and exercise."""
    return {
        (student, exercise.label): result.work.get(exercise.label, Work()).fingerprint
        for student, result in results.items()
        for exercise in sheet.exercises
    }


def page(handed_in: HandedIn, file: str) -> str | None:
    """The HTML of the page with this file name, None if there is none."""
    if file == "index.html":
        return index_page(handed_in)
    found = [exercise for exercise in handed_in.sheet.exercises if file_of(exercise) == file]
    return exercise_page(handed_in, found[0]) if found else None


def file_of(exercise: Exercise) -> str:
    """The file name of an exercise's page."""
    return f"exercise-{exercise.label}.html"


def index_page(handed_in: HandedIn) -> str:
    """The page of all exercises: what is marked, what waits, and everybody's score."""
    rows = [(exercise, handed_in.cards(exercise)) for exercise in handed_in.sheet.exercises]
    return _filled("review_index.html", handed_in.sheet, rows=rows, totals=handed_in.totals)


def exercise_page(handed_in: HandedIn, exercise: Exercise) -> str:
    """The page of one exercise: its statement, then all answers side by side in groups."""
    answers = handed_in.cards(exercise)
    present = {card.student.id for card in answers}
    absent = [total for total in handed_in.totals if total.student.id not in present]
    place = handed_in.sheet.exercises.index(exercise)
    return _filled(
        "review_exercise.html",
        handed_in.sheet,
        exercise=exercise,
        place=place,
        answers=answers,
        groups=groups(answers),
        absent=absent,
        data=_inert(_data(handed_in, exercise)),
        answer_html=_answer,
    )


def _data(handed_in, exercise):
    """What the script of an exercise's page begins with."""
    marks = {s: as_wire(mark) for (s, label), mark in handed_in.marks.items() if label == exercise.label}
    points = [line.points for line in exercise.rubric]
    known = {"assignment": handed_in.sheet.name, "exercise": exercise.label, "key": handed_in.key}
    return known | {"marks": marks, "rubric": points}


def _inert(data):
    """JSON that can stand in a page's <script>: no text in it can end the element."""
    return json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


_answer = lru_cache(maxsize=5_000)(answer_html)  # pages are made again after each mark, answers seldom change


def _filled(template, sheet, **what):
    """A template with its fields; what a field holds is escaped unless the template says `raw`."""
    ours = {"policy": review_policy(), "style": stylesheet(), "script": the_script()}
    helpers = {"file_of": file_of, "duration": duration, "number": number, "shown": _shown}
    authors = {"authors_html": authors_html, "authors_line": authors_line}
    return _templates().load(template).generate(sheet=sheet, **ours, **helpers, **authors, **what).decode()


def _shown(value: bytes) -> str:
    """A field as Tornado hands it over, in signs that are seen and can do nothing."""
    return words_html(value.decode())


@cache
def _templates():
    return Loader(str(HERE))


@cache
def the_script() -> str:
    """The one script of the pages."""
    parts = [(HERE / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return '"use strict";\n' + "\n".join(parts)


@cache
def stylesheet() -> str:
    """The pages' style: that of students' answers, then ours."""
    return ANSWER_CSS + (HERE / "review.css").read_text(encoding="utf-8")


@cache
def review_policy() -> str:
    """What a browser may do on the pages."""
    return policy(stylesheet(), the_script())
