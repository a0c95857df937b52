"""The page of answers that are alike: pairs side by side, the lines that both share marked.

(book: Teaching with this book, Afterwards)
"""

from collections import Counter
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from types import MappingProxyType

import nbformat

from margins_course import CourseProblem
from margins_course.assignments.cells import grade_id, nbgrader_role
from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.collecting.roster import Student, read_roster
from margins_course.folder import CourseFolder, write
from margins_course.grading.results import Result
from margins_course.grading.totals import totals
from margins_course.pages.student_html import ANSWER_CSS, content_security_policy, inline_html
from margins_course.similarity.pairs import (
    BOOK,
    Answer,
    FingerprintReader,
    Pair,
    like_the_book,
    pairs,
    read_answers,
)
from margins_course.wording import visible

STYLE = ANSWER_CSS + Path(__file__).with_name("page.css").read_text(encoding="utf-8")
HINT = (
    "This page is a hint where to look, never a verdict. Short exercises have few right answers, friends "
    "learn together, and the solutions of this book are public. Look at both answers, and talk with their "
    "authors."
)


def write_similar(
    course: CourseFolder, name: str, progress: Callable, *, unsafe: bool = False
) -> tuple[Path, int]:
    """The page for an assignment, and the number of pairs on it."""
    source = course.source_text(name)
    sheet, names = read_sheet(source), distinct_names(read_roster(course.roster))
    results = {total.student.id: total.result for total in totals(course, name) if total.result}
    if not results:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    sections, number = [], 0
    coded = [exercise for exercise in sheet.exercises if exercise.functions]
    with FingerprintReader(unsafe=unsafe) as reader:
        for done, exercise in enumerate(coded, 1):
            found, copied = compare(exercise, results, source, reader)
            sections.append(section(exercise, found, copied, names, reader.unread))
            number += len(found)
            progress(done, len(coded))
    path = course.report(f"{name}-similar.html")
    write(path, page(sheet, sections))
    return path, number


def distinct_names(students: list[Student]) -> dict[str, str]:
    """The name of each student by id; with the id behind it where several bear the name."""
    bearers = Counter(student.name for student in students)
    return {s.id: str(s) if bearers[s.name] > 1 else s.name for s in students}


def compare(
    exercise: Exercise, results: dict[str, Result], source: str, reader: FingerprintReader
) -> tuple[list[Pair], list[Pair]]:
    """The pairs of students who are alike in an exercise, and the students who are like the book."""
    code = [cell for cell in nbformat.reads(source, as_version=4).cells if cell.cell_type == "code"]
    given = "\n\n".join(
        cell.source for cell in code if not nbgrader_role(cell).solution and not nbgrader_role(cell).grade
    )
    solved = [cell.source for cell in code if grade_id(cell) == f"{exercise.label}--solution-1"]
    answers = read_answers(exercise, results, given, reader)
    return pairs(exercise, answers), like_the_book(reader.read(BOOK, "\n\n".join(solved)), answers)


def section(
    exercise: Exercise,
    found: list[Pair],
    copied: list[Pair],
    names: dict[str, str],
    unread: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The part of the page about one exercise; `unread` says by student why a cell was compared with none."""
    parts = [f"<h2>{escape(exercise.title)} <small>{escape(exercise.label)}</small></h2>"]
    if copied:
        who = ", ".join(f"{inline_html(names[pair.first.student])} ({pair.share:.0%})" for pair in copied)
        parts.append(f"<p><strong>Like {BOOK}:</strong> {who}.</p>")
    if missed := [f"{inline_html(names[who])} ({why})" for who, why in unread.items() if who in names]:
        parts.append(
            f"<p><strong>Not compared, or not all of it:</strong> {', '.join(missed)}. Read it yourself.</p>"
        )
    parts += [_pair(pair, names) for pair in found] or ["<p>No two answers are more alike than most are.</p>"]
    return f"<section>{''.join(parts)}</section>"


def _pair(pair: Pair, names: dict[str, str]) -> str:
    """Two answers side by side, folded under their authors' names."""
    one, other = (inline_html(names[answer.student]) for answer in (pair.first, pair.second))
    same = ", word for word" if _words(pair.first.source) == _words(pair.second.source) else ""
    summary = f"<summary>{one} and {other}: {pair.share:.0%} alike{same}</summary>"
    sides = "".join(_side(answer, pair.shared, names) for answer in (pair.first, pair.second))
    return f'<details>{summary}<div class="sides">{sides}</div></details>'


def _words(source: str) -> list[str]:
    return source.split()


def _side(answer: Answer, shared: frozenset[int], names: dict[str, str]) -> str:
    """One answer; lines that hold something shared are marked by a bar and by the word `shared`."""
    marked, rows = answer.lines_of(shared), []
    for number, line in enumerate(visible(answer.source).split("\n"), 1):  # lines as Python counts them
        tag = "mark" if number in marked else "span"
        rows.append(f"<{tag}>{escape(line) or ' '}</{tag}>")
    who = f"<figcaption>{inline_html(names[answer.student])}</figcaption>"
    return f"<figure>{who}<pre>{''.join(rows)}</pre></figure>"


def page(sheet: Sheet, sections: list[str]) -> str:
    """The whole page: no script, nothing from elsewhere, students' text as text alone."""
    title = f"Answers that are alike: {escape(sheet.title)}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{content_security_policy(STYLE)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{title}</h1><p>{HINT}</p>{''.join(sections)}</main></body></html>\n"
    )
