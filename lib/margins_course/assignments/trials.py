"""Trials of the checks before a release: wrong answers must fail, right ones pass in any form.

Each exercise is answered by constants, by arrays of nothing, by the reference in other forms and by its known
mistakes; each answer is judged as in a notebook and as when it is marked.
(book: Teaching with this book, Release)
"""

import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from nbformat import NotebookNode

from margins.checks.forms import NUMBER
from margins_course.assignments import contract, variations
from margins_course.assignments.cells import functions_of, is_hidden, label_of, role
from margins_course.assignments.notebooks import as_bytes
from margins_course.assignments.solution import stubbed
from margins_course.grading.judge import conforming, verdict
from margins_course.grading.one_process import OneProcess
from margins_course.grading.reference import Reference
from margins_course.problems import CourseProblem
from margins_course.sandbox.answers import Limits

WRONG = "wrong"  # in the metadata of a solution cell: known mistakes by what is wrong with them
FAILS, PASSES, ALIKE, LOSES = "fails", "passes", "passes all or none", "loses points"
LIMITS = Limits()


@dataclass(frozen=True)
class Row:
    """One answer to one exercise: which checks pass, as in a notebook and as marked."""

    exercise: str
    answer: str
    expected: str
    notebook: tuple[bool, ...]  # of each visible check
    visible: tuple[bool, ...]
    hidden: tuple[bool, ...]

    @property
    def fault(self) -> str:
        """What is wrong with the checks by this row, "" if nothing is."""
        alike = {*self.notebook, *self.visible, *self.hidden}
        if self.expected == FAILS and (any(self.notebook) or any(self.visible)):
            return "passes a visible check and must not; the check is blind to it"
        if self.expected == FAILS and not self.visible and any(self.hidden):
            return "passes a hidden check and must not; the check is blind to it"
        if self.expected == LOSES and all(self.visible) and all(self.hidden):
            return "passes every check, but is a known mistake"
        if self.expected in (PASSES, ALIKE) and len(alike) > 1:
            return f"is not treated alike everywhere: {self.words}"
        return "fails, but is right" if self.expected == PASSES and alike == {False} else ""

    @property
    def is_blind(self) -> bool:
        """Whether a hidden check takes by itself what must fail; the visible one saves the points."""
        return self.expected == FAILS and any(self.hidden)

    @property
    def words(self) -> str:
        """What each kind of check said."""
        kinds = (("in the notebook", self.notebook), ("marked", self.visible), ("hidden", self.hidden))
        return ", ".join(f"{kind}: {_said(passed)}" for kind, passed in kinds)


@dataclass(frozen=True)
class Matrix:
    """All trials of an assignment."""

    rows: tuple[Row, ...]

    @property
    def table(self) -> str:
        """Every row in words, one a line."""
        head = f"{'exercise':24} {'answer':52} {'expected':18} outcome"
        lines = [f"{r.exercise:24} {r.answer[:52]:52} {r.expected:18} {r.words}" for r in self.rows]
        return "\n".join([head, *lines, ""])

    @property
    def summary(self) -> list[str]:
        """One line an exercise: how many answers of which kind were tried."""
        counts = {row.exercise: Counter() for row in self.rows}
        for row in self.rows:
            counts[row.exercise][row.expected] += 1
        said = "{0:24} {1[fails]} empty answers earn nothing, {1[passes]} forms of the right one pass, {2}"
        return [
            said.format(exercise, found, f"{found[LOSES]} known mistakes lose points")
            for exercise, found in counts.items()
        ]

    def require_sound(self) -> None:
        """A CourseProblem that names exercises and rows, if checks take or refuse what they must not."""
        faults = [f"{row.exercise}, {row.answer}: {row.fault}" for row in self.rows if row.fault]
        if faults:
            more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
            raise CourseProblem(
                f"the checks cannot be trusted; sharpen them and release again. {'; '.join(faults[:5])}{more}"
            )


def try_source(source: str) -> Matrix:
    """The trials of an instructor's notebook that is complete."""
    reference = Reference(source)
    return Matrix(tuple(row for solution in reference.solutions for row in _rows(reference, solution)))


def completed(notebook: NotebookNode, exercise_folders: list[Path]) -> NotebookNode:
    """The instructor's notebook with what marking needs: the forms of answers, and known mistakes."""
    reference = Reference(as_bytes(notebook).decode())
    reference.forms = forms = contract.learned(reference)
    for cell in notebook.cells:
        if cell.cell_type == "code" and role(cell).solution:
            own = {name: forms[name] for name in functions_of(cell.source)}
            if _takes_single(reference, cell):
                own = {name: contract.taking_single(form) for name, form in own.items()}
            cell.metadata[contract.KEY] = {name: contract.as_json(form) for name, form in own.items()}
            cell.metadata[WRONG] = known_mistakes(label_of(cell), exercise_folders)
    return notebook


def known_mistakes(label: str, exercise_folders: list[Path]) -> dict[str, str]:
    """Code by what is wrong with it, from wrong.py of an exercise; none where there is no such file."""
    files = [folder / label / "wrong.py" for folder in exercise_folders]
    path = next(filter(Path.is_file, files), None)
    if path is None:
        return {}
    first, *rest = path.read_text(encoding="utf-8").split("\n# wrong: ")
    if not rest:
        raise CourseProblem(
            f"{path}: no line begins with '# wrong: '; expected one before each known mistake"
        )
    return {title.strip(): f"{first}\n{code}" for title, _, code in (part.partition("\n") for part in rest)}


def _rows(reference, solution):
    """The trials of one exercise."""
    label = label_of(solution)
    for change, expected in ((variations.EMPTY, FAILS), (variations.HONEST, PASSES)):
        for answer, changed in change.items():
            yield _row(reference, label, answer, expected, variations.Varied(reference, changed))
    if _gives_decimals(reference, solution):
        single = variations.Varied(reference, variations.single)
        yield _row(reference, label, "single precision (float32)", ALIKE, single)
    yield _row(reference, label, "nothing written", FAILS, OneProcess(reference, stubbed(solution.source)))
    for title, code in solution.metadata.get(WRONG, {}).items():
        yield _row(reference, label, f"wrong: {title}", LOSES, OneProcess(reference, code))


def _row(reference, label, answer, expected, answers):
    visible, hidden = _checks(reference, label)
    own = [name for name, cell in reference.functions.items() if label_of(cell) == label]
    raw = {name: answers.own(name) for name in own}
    marked = {name: conforming(answers.function(name), reference.forms[name]) for name in own}
    tried = ((visible, raw), (visible, marked), (hidden, marked))
    return Row(label, answer, expected, *(_passed(reference, *some) for some in tried))


def _passed(reference, checks, functions):
    """Whether each check passes. Answers that are tried may well divide by zero."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return tuple(verdict(reference, check, functions, LIMITS).said is None for check in checks)


def _checks(reference, label):
    """The visible checks of an exercise, and the hidden ones."""
    checks = [check for check in reference.checks if label_of(check) == label]
    return [c for c in checks if not is_hidden(c)], [c for c in checks if is_hidden(c)]


def _gives_decimals(reference, solution):
    """Whether some function of a solution cell gives numbers that are neither whole nor truth values."""
    forms = [reference.forms[name] for name in functions_of(solution.source)]
    return any(NUMBER in contract.kinds(form) for form in forms)


def _takes_single(reference, solution):
    """Whether the visible checks of an exercise, as they stand in the notebook, take single precision."""
    if not _gives_decimals(reference, solution):
        return False
    answers = variations.Varied(reference, variations.single)
    functions = {name: answers.own(name) for name in functions_of(solution.source)}
    passed = _passed(reference, _checks(reference, label_of(solution))[0], functions)
    return bool(passed) and all(passed)


def _said(passed):
    return "/".join("passes" if one else "fails" for one in passed) or "no check"
