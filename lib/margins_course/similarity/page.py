"""The page of answers that are alike: pairs side by side, the lines that both share marked."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from margins_course import CourseProblem
from margins_course.assignments.cells import grade_id, nbgrader_role
from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.collecting.roster import Student, read_roster
from margins_course.folder import CourseFolder, write
from margins_course.grading.results import Result
from margins_course.grading.totals import totals
from margins_course.pages.student_html import ANSWER_CSS
from margins_course.pages.templates import render
from margins_course.similarity import pairs as alike
from margins_course.similarity.pairs import BOOK, Answer, FingerprintReader, Pair
from margins_course.wording import visible

STYLE = ANSWER_CSS + Path(__file__).with_name("page.css").read_text(encoding="utf-8")
HINT = (
    "This page is a hint where to look, never a verdict. Short exercises have few right answers, friends "
    "learn together, and the solutions of this book are public. Look at both answers, and talk with their "
    "authors."
)


@dataclass(frozen=True)
class Section:
    """The part of the page about one exercise; `unread` says by student why a cell was compared with none."""

    exercise: Exercise
    pairs: list[Pair]
    copied: list[Pair] = field(default_factory=list)  # answers that are like the book's own
    unread: Mapping[str, str] = field(default_factory=dict)


def write_similar(course: CourseFolder, name: str, progress: Callable) -> tuple[Path, int]:
    """The page for an assignment, and the number of pairs on it."""
    source = course.source_text(name)
    sheet, names = read_sheet(source), distinct_names(read_roster(course.roster))
    results = {total.student.id: total.result for total in totals(course, name) if total.result}
    if not results:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    sections, coded = [], [exercise for exercise in sheet.exercises if exercise.functions]
    with FingerprintReader() as reader:
        for done, exercise in enumerate(coded, 1):
            sections.append(compare(exercise, results, source, reader))
            progress(done, len(coded))
    path = course.report(f"{name}-similar.html")
    write(path, page(sheet, sections, names))
    return path, sum(len(section.pairs) for section in sections)


def distinct_names(students: list[Student]) -> dict[str, str]:
    """The name of each student by id; with the id behind it where several bear the name."""
    bearers = Counter(student.name for student in students)
    return {s.id: str(s) if bearers[s.name] > 1 else s.name for s in students}


def compare(
    exercise: Exercise, results: dict[str, Result], source: str, reader: FingerprintReader
) -> Section:
    """The students who are alike in an exercise, and those who are like the book."""
    code = [cell for cell in nbformat.reads(source, as_version=4).cells if cell.cell_type == "code"]
    given = [c.source for c in code if not nbgrader_role(c).solution and not nbgrader_role(c).grade]
    solved = [cell.source for cell in code if grade_id(cell) == f"{exercise.label}--solution-1"]
    answers = alike.read_answers(exercise, results, "\n\n".join(given), reader)
    copied = alike.like_the_book(reader.read(BOOK, "\n\n".join(solved)), answers)
    return Section(exercise, alike.pairs(answers), copied, dict(reader.unread))


def page(sheet: Sheet, sections: list[Section], names: dict[str, str]) -> str:
    hints = {"hint": HINT, "book": BOOK}
    return render("similar.html", STYLE, sheet=sheet, sections=sections, names=names, lines=_lines, **hints)


def _lines(answer: Answer, shared: frozenset[int]) -> Iterator[tuple[str, str]]:
    """The lines of an answer; those that hold something shared are in another element."""
    marked = answer.lines_of(shared)
    for number, line in enumerate(visible(answer.source).split("\n"), 1):  # lines as Python counts them
        yield "mark" if number in marked else "span", line
