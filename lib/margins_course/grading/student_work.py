"""What a student wrote, by exercise, whatever became of the cells.

A cell may have lost its name (Colab drops names) or be new; then it belongs to the exercise in which it
stands. What was given out and is unchanged is nobody's work. Students' text is compared here, never run.
"""

import re

from nbformat import NotebookNode

from margins_book.page.solutions import stubbed
from margins_course.assignments.cells import grade_id, label_of, nbgrader_role
from margins_course.assignments.notebooks import ANSWER_HERE
from margins_course.assignments.sheet import Sheet
from margins_course.grading.reference import Reference
from margins_course.grading.results import Piece, Work, fingerprint
from margins_course.sandbox.answers import CellResult

HEADING = re.compile(r"^## .+$", re.M)


def work_by_exercise(
    cells: list[NotebookNode], results: dict[str, CellResult], given: "Given", messages: dict[str, str | None]
) -> dict[str, Work]:
    """The work of every exercise of the sheet, empty if nothing was written; and under "" what is in none."""
    pieces: dict[str, list[Piece]] = {label: [] for label in ("", *(e.label for e in given.sheet.exercises))}
    for number, (cell, here) in enumerate(zip(cells, given.places(cells), strict=True)):
        if here in pieces and not given.is_unchanged(cell):
            ran = results.get(f"cell {number}", CellResult())
            pieces[here].append(Piece(cell.cell_type, cell.source, ran.printed, ran.error, ran.pictures))
    said = {label: {n: m for n, m in messages.items() if n.startswith(f"{label}--")} for label in pieces}
    worth = {exercise.label: exercise.worth for exercise in given.sheet.exercises}
    return {
        label: Work(tuple(found), fingerprint(tuple(found), said[label], worth.get(label, [])))
        for label, found in pieces.items()
        if label or found
    }


class Given:
    """The cells that students were given, to be told from their own, whatever became of the cells' names."""

    def __init__(self, reference: Reference, sheet: Sheet):
        self.cells, self.functions, self.sheet = reference.cells, reference.functions, sheet
        self.labels = {}  # of the texts and code that were given, as students got them
        for text, label in _statements(reference, sheet):
            self.labels[_plain(text)] = label
        for cell in reference.cells.values():
            if cell.cell_type == "code":
                given = stubbed(cell.source) if nbgrader_role(cell).solution else cell.source
                self.labels[_plain(given)] = label_of(cell)
        self.locked = {_plain(cell.source): cell for cell in reference.cells.values()}
        self.others = {_plain(cell.source) for cell in reference.texts} | {_plain(ANSWER_HERE)}
        self.headings = {_heading(text): label for text, label in self.labels.items() if _heading(text)}

    def places(self, cells: list[NotebookNode]) -> list[str]:
        """The exercise in which each cell stands, "" if in none."""
        found = [""]
        for cell in cells:
            found.append(self._exercise_of(cell, found[-1]))
        return found[1:]

    def _exercise_of(self, cell, before):
        """The exercise in which a cell stands, where the cell before it stood in `before`."""
        if grade_id(cell) in self.cells:
            return label_of(cell)
        text = _plain(cell.source)
        if text in self.labels:
            return self.labels[text]
        if cell.cell_type == "markdown":
            is_opening = text in self.others and text != _plain(ANSWER_HERE)
            return "" if is_opening else self.headings.get(_heading(text), before)
        defined = [name for name in self.functions if re.search(rf"^def {name}\b", cell.source, re.M)]
        return label_of(self.functions[defined[0]]) if defined else before

    def is_unchanged(self, cell: NotebookNode) -> bool:
        """Whether a cell is no work: given and locked, or as it was given, or empty."""
        text = _plain(cell.source)
        return self.is_locked(cell) or not text or text in self.labels or text in self.others

    def is_locked(self, cell: NotebookNode) -> bool:
        """Whether a cell is one that students were not to change: what it says now counts for nothing."""
        known = self.cells.get(grade_id(cell))
        if known is None and cell.cell_type == "code":
            known = self.locked.get(_plain(cell.source))
        return known is not None and not nbgrader_role(known).solution and not self._is_changed_setup(cell)

    def _is_changed_setup(self, cell):
        """Whether a student wrote something else into set-up: it runs, too, after the one that was given."""
        known = self.cells.get(grade_id(cell))
        if known is None or known.cell_type != "code" or nbgrader_role(known).grade:
            return False
        return _plain(cell.source) not in ("", _plain(known.source))


def _statements(reference, sheet):
    """The texts that state the exercises, which stand in the sheet's order, with their labels."""
    waiting = list(sheet.exercises)
    for cell in reference.texts:
        first = cell.source.partition("\n")[0]
        if waiting and re.match(rf"## {re.escape(waiting[0].title)}( ·|$)", first):
            yield cell.source, waiting.pop(0).label


def _plain(text):
    """Text without what editors change unasked: white space at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _heading(text):
    found = HEADING.match(text)
    return found and found[0]
