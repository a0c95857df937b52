"""A chapter read for an assignment: its cells by kind, and its exercises, each of which must be complete.

(book: Teaching with this book, Release)
"""

import math
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import jupytext

from margins_book.page import ChapterProblem
from margins_book.page.excursions import (
    Excursion,
    excursions_of,
    read_excursions,
    require_known_uses,
)
from margins_book.page.exercise_text import CellText, ExerciseText, read_exercise_texts
from margins_book.page.objectives import Objective, read_objectives
from margins_book.page.solutions import (
    MARKER,
    functions_of,
    require_functions,
    require_markers,
    require_python,
)

KINDS = ("solution", "check", "hidden-check")


@dataclass(frozen=True)
class Cell:
    """One cell: Markdown (`kind` "text"), plain code ("setup"), or a piece of an exercise.

    An assignment has further kinds: "hidden-setup", "example" for code in a statement, "answer" for a proof.
    """

    kind: str
    source: str
    exercise: str = ""
    points: float = 0.0
    name: str = ""  # the grade id, the same as long as the exercise keeps its label
    line: int = field(default=0, compare=False)  # of its file, on which its source begins
    file: str = field(default="", compare=False)  # beside the page, "" for a cell of the page

    @property
    def is_graded(self) -> bool:
        """Whether the cell is a check that a program runs."""
        return self.kind in ("check", "hidden-check")

    @property
    def end(self) -> int:
        """The last line of its source."""
        return self.line + self.source.count("\n")

    @property
    def is_on_page(self) -> bool:
        """Whether the cell stands on the page; a hidden check may lie in a file of its own."""
        return not self.file

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that a solution defines."""
        return functions_of(self.source)


@dataclass(frozen=True)
class Chapter:
    """A chapter that can be assigned: its file's stem, title and cells; exercises, excursions, objectives."""

    name: str
    title: str
    cells: tuple[Cell, ...]
    texts: tuple[ExerciseText, ...] = ()
    excursions: tuple[Excursion, ...] = ()
    objectives: tuple[Objective, ...] = ()

    @property
    def exercises(self) -> list[str]:
        """The labels of the coded exercises."""
        return [cell.exercise for cell in self.cells if cell.kind == "solution"]

    @property
    def prose(self) -> str:
        """All text cells, one after the other."""
        return "\n".join(cell.source for cell in self.cells if cell.kind == "text")

    def text(self, label: str) -> ExerciseText:
        """The words of the exercise with this label."""
        return next(text for text in self.texts if text.label == label)

    def checks(self, label: str) -> list[Cell]:
        """The cells that mark an exercise."""
        return [cell for cell in self.cells if cell.is_graded and cell.exercise == label]

    def points(self, label: str) -> float:
        """The points of an exercise, by checks and by hand."""
        return sum(cell.points for cell in self.checks(label)) + self.text(label).rubric_points

    def goes_with(self, label: str) -> tuple[str, ...]:
        """The names of the excursions with which an exercise goes, such as 6.D, none in the spine."""
        return tuple(excursion.name for excursion in excursions_of(self.text(label), self.excursions))

    def is_homework(self, label: str) -> bool:
        """Whether an exercise can be marked and is no research, which is a project rather than homework."""
        text = self.text(label)
        return bool(self.checks(label) or (text.rubric and "research" not in text.kind))


def read_chapter(path: str | Path) -> Chapter:
    """The chapter in the file `path`; a ChapterProblem if an exercise of it could not be marked."""
    path = Path(path)
    notebook = _read(path)
    cells = [_cell(cell, f"{path.name}, cell {number}") for number, cell in enumerate(notebook.cells, 1)]
    lines = _first_lines(path.read_text(encoding="utf-8"), cells)
    cells = [replace(cell, line=line) for cell, line in zip(cells, lines, strict=True)]
    shown = [_text_of(cell) for cell in cells]
    texts, excursions = read_exercise_texts(shown, path.name), read_excursions(shown, path)
    cells = list(_with_hidden(cells, exercises_of(path)))
    _check_exercises(cells, {text.label for text in texts}, path.name)
    require_known_uses(texts, excursions, path.name)
    chapter = Chapter(path.stem, path.stem, tuple(_named(cells)), texts, excursions)
    title = re.search(r"^# (.+)$", chapter.prose, re.M)
    objectives = read_objectives(chapter.prose, {text.label for text in texts}, path.name)
    return replace(chapter, title=title[1].strip() if title else path.stem, objectives=objectives)


def exercises_of(chapter: Path) -> Path:
    """The folder with the files of a chapter's exercises, `LABEL/hidden.py`, `LABEL/wrong.py` and others.

    A chapter of the book has it in the package of its topic, another one beside its file.
    """
    chapter = chapter.resolve()
    topic = chapter.stem.lstrip("0123456789_")
    of_book = chapter.parents[1] / "lib" / "margins_book" / topic / "exercises"
    is_of_book = chapter.parent.name == "chapters" and of_book.is_dir()
    return of_book if is_of_book else chapter.parent / "exercises"


def _read(path):
    """The notebook in a chapter's file; a ChapterProblem says what is wrong with the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # jupytext's, about what it would not write
            return jupytext.read(path, fmt="md:myst")
    except OSError:
        raise
    except Exception as reason:  # of jupytext, PyYAML or nbformat
        cause = " ".join(str(reason).split())[:300]
        expected = "compare its head, and the fences and options of its cells, with a chapter of the book"
        raise ChapterProblem(
            f"{path} cannot be read as a chapter ({type(reason).__name__}: {cause}); {expected}"
        ) from None


def _first_lines(text: str, cells: list[Cell]) -> Iterator[int]:
    """The line of a chapter's text on which each of its cells begins."""
    place = 0
    for cell in cells:
        place = max(place, text.find(cell.source, place))
        yield text.count("\n", 0, place) + 1
        place += len(cell.source)


POINTS = re.compile(r"# points: (\d+(?:\.\d+)?)[ \t]*\n+")


def _with_hidden(cells: list[Cell], folder: Path) -> Iterator[Cell]:
    """The cells, and behind each exercise's last check the hidden one in `LABEL/hidden.py`."""
    last = {cell.exercise: place for place, cell in enumerate(cells) if cell.kind == "check"}
    for place, cell in enumerate(cells):
        yield cell
        if last.get(cell.exercise) == place and (file := folder / cell.exercise / "hidden.py").is_file():
            yield _hidden(file, cell.exercise)


def _hidden(file: Path, exercise: str) -> Cell:
    """The hidden check in a file whose first line says its points."""
    source = file.read_text(encoding="utf-8")
    require_python(source, str(file))
    if not (points := POINTS.match(source)):
        first = source.partition("\n")[0]
        raise ChapterProblem(f"{file}: the first line is {first!r}; expected '# points: 2', a number > 0")
    line = source.count("\n", 0, points.end()) + 1
    number = _points(float(points[1]), str(file), exercise)
    return Cell("hidden-check", source[points.end() :].rstrip(), exercise, number, line=line, file=str(file))


def _text_of(cell: Cell) -> CellText:
    """A cell for the reader of exercises, with what of its source a solution shows."""
    shown = cell.kind in ("text", "setup", "solution")
    return CellText(cell.kind != "text", MARKER.sub("", cell.source) if shown else "", cell.line)


def _cell(cell, where):
    """One cell of the notebook; a ChapterProblem says where it stands."""
    kinds = [kind for kind in KINDS if kind in cell.metadata.get("tags", [])]
    if len(kinds) > 1:
        raise ChapterProblem(f"{where}: the tags {' and '.join(kinds)} exclude each other; keep one")
    if cell.cell_type != "code":
        if kinds:
            raise ChapterProblem(f"{where}: the tag {kinds[0]} belongs on a code cell, but this is text")
        return Cell("text", cell.source)
    require_python(cell.source, where)
    if not kinds:
        return Cell("setup", cell.source)
    exercise = cell.metadata.get("exercise")
    if not exercise or not re.fullmatch(r"[A-Za-z0-9-]+", str(exercise)):
        expected = "expected the exercise's label in letters, digits and hyphens"
        raise ChapterProblem(f"{where}: a {kinds[0]} cell with :exercise: {exercise!r}; {expected}")
    if kinds == ["solution"]:
        require_markers(cell.source, f"{where} ({exercise})")
        require_functions(cell.source, f"{where} ({exercise})")
        return Cell("solution", cell.source, exercise)
    return Cell(kinds[0], cell.source, exercise, _points(cell.metadata.get("points"), where, exercise))


def _points(points, where, exercise):
    number = isinstance(points, int | float) and not isinstance(points, bool)
    if not number or not math.isfinite(points) or points <= 0:
        raise ChapterProblem(f"{where} ({exercise}): :points: must be a number > 0, but got {points!r}")
    return float(points)


def _check_exercises(cells, stated, where):
    """Raises a ChapterProblem unless each coded exercise has a statement, one solution and checks."""
    solved: set[str] = set()
    checked: set[str] = set()
    for cell in cells:
        label = cell.exercise
        if label and label not in stated:
            raise ChapterProblem(
                f"{where}: no exercise is labelled {label!r}, but a {cell.kind} cell names it"
            )
        if cell.kind == "solution" and label in solved:
            raise ChapterProblem(f"{where}: {label} has two solution cells; expected one")
        if cell.is_graded and label not in solved:
            raise ChapterProblem(f"{where}: a check of {label} stands before its solution")
        (solved if cell.kind == "solution" else checked).add(label)
    if unchecked := solved - checked:
        raise ChapterProblem(f"{where}: no check for {', '.join(sorted(unchecked))}; add a check cell")


def _named(cells):
    """The cells with grade ids: label, kind, and a count of that kind."""
    counts: dict[tuple[str, str], int] = {}
    for cell in cells:
        if cell.exercise:
            key = cell.exercise, cell.kind
            counts[key] = counts.get(key, 0) + 1
            cell = replace(cell, name=f"{cell.exercise}--{cell.kind}-{counts[key]}")
        yield cell


COLUMNS = ("exercise", "kind", "difficulty", "visible check", "hidden checks", "by hand", "goes with")


def exercise_table(chapter: Chapter) -> str:
    """The exercises of a chapter, a folded Markdown table under its title, places for its times and its plan.

    The book's site fills in the roles: it measures the times when it has read the chapters.
    """
    number = chapter.name.partition("_")[0].lstrip("0")
    lines = [
        f"**{chapter.title}** ({_points_to_take(chapter)}): `margins-course release {number}`. "
        f"{{chapter-times}}`{chapter.name}` {{session-plan}}`{chapter.name}`",
        "",
        f":::{{admonition}} Its {len(chapter.texts)} exercises",
        ":class: dropdown",
        "",
        _row(COLUMNS),
        "|---" * len(COLUMNS) + "|",
        *(_row(_cells(chapter, text)) for text in chapter.texts),
        ":::",
    ]
    return "\n".join(lines)


def _points_to_take(chapter: Chapter) -> str:
    """The points of the spine's homework, and what excursions add."""
    homework = [text.label for text in chapter.texts if chapter.is_homework(text.label)]
    spine = sum(chapter.points(label) for label in homework if not chapter.goes_with(label))
    more = sum(map(chapter.points, homework)) - spine
    return f"{spine:g} points" + (f", {more:g} more with all excursions" if more else "")


def _cells(chapter: Chapter, text: ExerciseText) -> tuple[str, ...]:
    """Title, kind and stars of an exercise, its points by checks and by hand, and what it goes with."""
    checks = chapter.checks(text.label)
    shown = sum(cell.points for cell in checks if cell.kind == "check")
    hidden = sum(cell.points for cell in checks if cell.kind == "hidden-check")
    points = (f"{number:g}" if number else "–" for number in (shown, hidden, text.rubric_points))
    owner = ", ".join(chapter.goes_with(text.label)) or "spine"
    return (text.title, text.kind, "★" * text.stars, *points, owner)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
