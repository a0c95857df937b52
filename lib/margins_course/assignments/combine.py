"""An assignment combined from exercises of one or several chapters, with their set-up and their sheet.

Each chapter's set-up comes first, then its exercises in the chosen order: statement, solution, checks, and
the place for an answer that a person marks.
"""

from dataclasses import dataclass, replace

from margins_book.page.chapter import Cell
from margins_book.page.exercise_text import ExerciseText, python_block
from margins_book.page.selection import Selection
from margins_book.page.solutions import MARKER
from margins_course import CourseProblem
from margins_course.assignments.links import Linker
from margins_course.assignments.name_clashes import with_distinct_names
from margins_course.assignments.sheet import Check, Exercise, Line, Sheet
from margins_course.wording import points_in_words

SETUP_NOTE = """\
## What the exercises rest on

Run this first. The chapter explains it. If `margins` is missing, the book says \
[how to install it]({book}book/how_to_read.html#using-the-library)."""


@dataclass(frozen=True)
class Assignment:
    """The cells of an assignment in the order of its notebooks, and its sheet."""

    cells: tuple[Cell, ...]
    sheet: Sheet


def combine(name: str, title: str, cuts: list[Selection], notice: str = "") -> Assignment:
    """The assignment of exercises selected from chapters; `notice` stands under the title."""
    _refuse_twins(cuts)
    cuts = with_distinct_names(cuts)
    cells, exercises = [Cell("text", _opening(title, cuts, notice))], []
    for cut in cuts:
        linker = Linker(cut.chapter, cut.page)
        made = [_exercise(cut, cut.chapter.text(label), linker) for label in cut.labels]
        if len(cuts) > 1:
            cells.append(Cell("text", f"# {cut.chapter.title}"))
        if any(cell.kind == "setup" for cell in cut.setup):
            cells.append(Cell("text", SETUP_NOTE.format(book=linker.book)))
        cells += cut.setup
        cells += [cell for exercise in made for cell in _exercise_cells(cut, exercise, linker)]
        exercises += made
    return Assignment(tuple(_numbered(cells)), Sheet(name, title, tuple(exercises)))


def _refuse_twins(cuts: list[Selection]) -> None:
    """Raises a CourseProblem if two chapters have an exercise of the same label."""
    seen: dict[str, str] = {}
    for label, chapter in ((label, cut.chapter.name) for cut in cuts for label in cut.labels):
        if (other := seen.setdefault(label, chapter)) != chapter:
            problem = f"{other} and {chapter} both have an exercise {label!r}"
            raise CourseProblem(f"{problem}; make two assignments of them")


def _opening(title: str, cuts: list[Selection], notice: str) -> str:
    """The first cell: title, notice, and where the chapters are."""
    if len(cuts) == 1:
        chapters = f"The chapter: <{cuts[0].page}>."
    else:
        chapters = f"The chapters: {', '.join(f'[{cut.chapter.title}]({cut.page})' for cut in cuts)}."
    parts = [f"# {title}", notice, f"{chapters} Write your answers where a cell says so."]
    return "\n\n".join(filter(None, parts))


def _numbered(cells: list[Cell]) -> list[Cell]:
    """The cells with names for the set-up, which has none."""
    counts = {"setup": 0, "hidden-setup": 0}
    for place, cell in enumerate(cells):
        if cell.kind in counts:
            counts[cell.kind] += 1
            cells[place] = replace(cell, name=f"{cell.kind}-{counts[cell.kind]}")
    return cells


def _exercise(cut: Selection, text: ExerciseText, linker: Linker) -> Exercise:
    work = cut.work_of(text.label)
    examples = [python_block(cell.source) for cell in work if cell.kind == "example"]
    answers = [python_block(MARKER.sub("", cell.source)) for cell in work if cell.kind == "solution"]
    solution = [text.solution, *(code for code in answers if code not in text.solution)]
    return Exercise(
        label=text.label,
        title=text.title,
        kind=text.kind,
        stars=text.stars,
        chapter=cut.chapter.name,
        page=f"{linker.page}#{text.label}",
        statement="\n\n".join([linker.plain(text.statement), *examples]),
        solution=linker.plain("\n\n".join(solution)),
        functions=tuple(name for cell in work if cell.kind == "solution" for name in cell.functions),
        checks=tuple(Check(c.name, c.points, c.kind == "hidden-check") for c in work if c.is_graded),
        rubric=tuple(Line(linker.plain(line.text), line.points) for line in text.rubric),
    )


def _exercise_cells(cut: Selection, exercise: Exercise, linker: Linker) -> list[Cell]:
    """Statement, solution, checks, and the place for the answer that a person marks."""
    text = cut.chapter.text(exercise.label)
    worth = f" · {points_in_words(exercise.points)}" if exercise.points else ""
    parts = [f"## {text.heading}{worth}", linker.plain(text.statement)]
    if text.shows_rubric and exercise.rubric:
        parts.append(f"**How this is marked**\n\n{_rubric(exercise)}")
    cells = [Cell("text", "\n\n".join(parts), exercise.label), *cut.work_of(exercise.label)]
    if exercise.rubric:
        model = "\n\n".join(filter(None, [exercise.solution, f"**Rubric**\n\n{_rubric(exercise)}"]))
        name = f"{exercise.label}--answer"
        cells.append(Cell("answer", model, exercise.label, exercise.rubric_points, name))
    return cells


def _rubric(exercise: Exercise) -> str:
    return "\n".join(f"- {points_in_words(line.points)}: {line.text}" for line in exercise.rubric)
