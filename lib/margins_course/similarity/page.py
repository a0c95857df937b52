"""The page of answers that are alike: pairs side by side, the lines that both share marked.

(book: Teaching with this book, Answers that are alike)
"""

import base64
import hashlib
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from types import MappingProxyType

import nbformat

from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder, write
from margins_course.grading.results import Result, read_result
from margins_course.pages.student_text import words_html
from margins_course.pages.visible import visible
from margins_course.problems import CourseProblem
from margins_course.similarity.pairs import BOOK, Answer, Pair, Reader, like_the_book, pairs, read_answers

STYLE = Path(__file__).with_name("page.css")
HINT = (
    "This page is a hint where to look, never a verdict. Short exercises have few right answers, friends "
    "learn together, and the solutions of this book are public. Look at both answers, and talk with their "
    "authors."
)


def write_similar(
    course: CourseFolder, name: str, progress: Callable, *, unsafe: bool = False
) -> tuple[Path, int]:
    """The page for an assignment, and the number of pairs on it."""
    source = course.source(name).read_text(encoding="utf-8")
    sheet, names = read_sheet(source), {s.id: s.name for s in read_roster(course.roster)}
    paths = {student: course.result(name, student) for student in names}
    results = {student: read_result(path) for student, path in paths.items() if path.exists()}
    if not results:
        raise CourseProblem(f"nothing of {name} is marked: run `margins-course grade {name}` first")
    sections, number = [], 0
    coded = [exercise for exercise in sheet.exercises if exercise.functions]
    with Reader(unsafe=unsafe) as reader:
        for done, exercise in enumerate(coded, 1):
            found, copied = compare(exercise, results, source, reader)
            sections.append(section(exercise, found, copied, names, reader.unread))
            number += len(found)
            progress(done, len(coded))
    path = course.report(f"{name}-similar.html")
    write(path, page(sheet, sections))
    return path, number


def compare(
    exercise: Exercise, results: dict[str, Result], source: str, reader: Reader
) -> tuple[list[Pair], list[Pair]]:
    """The pairs of students who are alike in an exercise, and the students who are like the book."""
    cells = nbformat.reads(source, as_version=4).cells
    roles = [(cell.metadata.get("nbgrader", {}), cell.source) for cell in cells if cell.cell_type == "code"]
    given = "\n\n".join(text for role, text in roles if not role.get("solution") and not role.get("grade"))
    solved = [text for role, text in roles if role.get("grade_id", "") == f"{exercise.label}--solution-1"]
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
        who = ", ".join(f"{words_html(names[pair.first.student])} ({pair.share:.0%})" for pair in copied)
        parts.append(f"<p><strong>Like {BOOK}:</strong> {who}.</p>")
    if missed := [f"{words_html(names[who])} ({why})" for who, why in unread.items() if who in names]:
        parts.append(
            f"<p><strong>Not compared:</strong> a cell of {', '.join(missed)}. Read it yourself.</p>"
        )
    parts += [_pair(pair, names) for pair in found] or ["<p>No two answers are alike.</p>"]
    return f"<section>{''.join(parts)}</section>"


def _pair(pair: Pair, names: dict[str, str]) -> str:
    """Two answers side by side, folded under their authors' names."""
    one, other = (words_html(names[answer.student]) for answer in (pair.first, pair.second))
    same = " word for word" if _words(pair.first.source) == _words(pair.second.source) else ""
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
    name = words_html(names[answer.student])
    return f"<figure><figcaption>{name}</figcaption><pre>{''.join(rows)}</pre></figure>"


def page(sheet: Sheet, sections: list[str]) -> str:
    """The whole page: no script, nothing from elsewhere, students' text as text alone."""
    style = STYLE.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = f"Answers that are alike: {escape(sheet.title)}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head>"
        f"<body><main><h1>{title}</h1><p>{HINT}</p>{''.join(sections)}</main></body></html>\n"
    )
