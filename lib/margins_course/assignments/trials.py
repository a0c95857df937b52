"""Trials of the checks before a release: wrong answers must fail, right ones pass in any form.

Each exercise is answered by constants, by arrays of nothing, by the reference in other forms and by its known
mistakes; each answer is judged as in a notebook and as when it is marked.
"""

import itertools
import warnings
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from nbformat import NotebookNode

from margins_book.checking.forms import NUMBER
from margins_book.page.mistakes import read_mistakes
from margins_book.page.solutions import functions_of, stubbed
from margins_course import CourseProblem
from margins_course.assignments import answer_forms, trial_answers
from margins_course.assignments.answer_forms import Form, form_of, merge_forms
from margins_course.assignments.cells import grade_id, is_hidden, label_of, nbgrader_role
from margins_course.assignments.notebooks import as_bytes
from margins_course.grading.grade import run_check, with_form
from margins_course.grading.reference import InProcessAnswers, Reference, quiet_marking
from margins_course.sandbox.limits import LIMITS

MISTAKES_KEY = "wrong"  # in the metadata of a solution cell: known mistakes by what is wrong with them
MUST_FAIL, MUST_PASS, MUST_AGREE, MUST_LOSE_POINTS = "fails", "passes", "passes all or none", "loses points"
NOTHING_WRITTEN = "nothing written"


@dataclass(frozen=True)
class Trial:
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
        if self.expected == MUST_FAIL and (any(self.notebook) or any(self.visible)):
            return "passes a visible check and must not; the check is blind to it"
        if self.is_blind and (not self.visible or self.answer == NOTHING_WRITTEN):
            return "passes a hidden check and must not; the check is blind to it"
        if self.expected == MUST_LOSE_POINTS and all(self.visible) and all(self.hidden):
            return "passes every check, but is a known mistake"
        if self.expected in (MUST_PASS, MUST_AGREE) and len(alike) > 1:
            return f"is not treated alike everywhere: {self.words}"
        return "fails, but is right" if self.expected == MUST_PASS and alike == {False} else ""

    @property
    def is_blind(self) -> bool:
        """Whether a hidden check takes by itself what must fail; the visible one saves the points."""
        return self.expected == MUST_FAIL and any(self.hidden)

    @property
    def words(self) -> str:
        kinds = (("in the notebook", self.notebook), ("marked", self.visible), ("hidden", self.hidden))
        said = {kind: "/".join("passes" if one else "fails" for one in passed) for kind, passed in kinds}
        return ", ".join(f"{kind}: {words or 'no check'}" for kind, words in said.items())


@dataclass(frozen=True)
class TrialReport:
    rows: tuple[Trial, ...]

    @property
    def table(self) -> str:
        head = f"{'exercise':24} {'answer':52} {'expected':18} outcome"
        lines = [f"{r.exercise:24} {r.answer[:52]:52} {r.expected:18} {r.words}" for r in self.rows]
        return "\n".join([head, *lines, ""])

    @property
    def summary(self) -> list[str]:
        """One line an exercise: how many answers of which kind were tried."""
        counts: dict[str, Counter[str]] = {row.exercise: Counter() for row in self.rows}
        for row in self.rows:
            counts[row.exercise][row.expected] += 1
        said = "{:24} {} empty answers earn nothing, {} forms of the right one pass, "
        said += "{} known mistakes lose points"
        kinds = (MUST_FAIL, MUST_PASS, MUST_LOSE_POINTS)
        return [said.format(label, *(found[kind] for kind in kinds)) for label, found in counts.items()]

    def require_sound(self) -> None:
        """A CourseProblem that names exercises and rows, if checks take or refuse what they must not."""
        faults = [f"{row.exercise}, {row.answer}: {row.fault}" for row in self.rows if row.fault]
        if faults:
            more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
            problem = "the checks cannot be trusted; sharpen them and release again"
            raise CourseProblem(f"{problem}. {'; '.join(faults[:5])}{more}")


def try_source(source: str) -> TrialReport:
    reference = Reference(source)
    return TrialReport(tuple(row for solution in reference.solutions for row in _rows(reference, solution)))


def complete_source(notebook: NotebookNode, exercise_folders: list[Path]) -> NotebookNode:
    """The instructor's notebook with what marking needs: the forms of answers, and known mistakes."""
    reference = Reference(as_bytes(notebook).decode())
    reference.forms = forms = learned_forms(reference)
    for cell in notebook.cells:
        if cell.cell_type == "code" and nbgrader_role(cell).solution:
            own = {name: forms[name] for name in functions_of(cell.source)}
            if _takes_single(reference, cell):
                own = {name: answer_forms.allow_single_precision(form) for name, form in own.items()}
            cell.metadata[answer_forms.FORMS_KEY] = {name: asdict(form) for name, form in own.items()}
            cell.metadata[MISTAKES_KEY] = known_mistakes(label_of(cell), exercise_folders)
    return notebook


def learned_forms(reference: Reference) -> dict[str, Form]:
    """The forms of all functions of a Reference, from the answers that its solutions give to its checks."""
    found = dict.fromkeys(reference.functions, Form())

    def watched(name, answer):
        def function(*positional, **named):
            given = answer(*positional, **named)
            found[name] = merge_forms(found[name], form_of(given))
            return given

        return function

    for solution in reference.solutions:
        answers = InProcessAnswers(reference, solution.source)
        functions = {name: watched(name, answers.raw_function(name)) for name in found}
        for check in itertools.chain(*_checks(reference, label_of(solution))):
            _require_passing(reference, check, functions)
    return found


def _require_passing(reference, check, functions):
    try:
        with quiet_marking():
            reference.run(check, functions)
    except Exception as reason:
        said = f"{type(reason).__name__}: {reason}; correct the solution or the check in the chapter"
        raise CourseProblem(f"the reference fails {grade_id(check)}: {said}") from reason


def known_mistakes(label: str, exercise_folders: list[Path]) -> dict[str, str]:
    """Code by what is wrong with it, from wrong.py of an exercise; none where there is no such file."""
    files = [folder / label / "wrong.py" for folder in exercise_folders]
    path = next(filter(Path.is_file, files), None)
    return read_mistakes(path) if path else {}


def _rows(reference, solution):
    label = label_of(solution)
    visible, hidden = _checks(reference, label)

    def row(answer, expected, answers):
        raw = {name: answers.raw_function(name) for name in reference.functions}
        marked = {name: with_form(answers.function(name), form) for name, form in reference.forms.items()}
        tried = ((visible, raw), (visible, marked), (hidden, marked))
        return Trial(label, answer, expected, *(_passed(reference, *some) for some in tried))

    def changed(change):
        return trial_answers.ChangedReference(reference, solution.source, change)

    for answer, change in trial_answers.WORTHLESS_ANSWERS.items():
        yield row(answer, MUST_FAIL, changed(change))
    for answer, change in trial_answers.RIGHT_ANSWERS.items():
        yield row(answer, MUST_PASS, changed(change))
    if _gives_decimals(reference, solution):
        yield row("single precision (float32)", MUST_AGREE, changed(trial_answers.in_single_precision))
    yield row(NOTHING_WRITTEN, MUST_FAIL, InProcessAnswers(reference, stubbed(solution.source)))
    for title, code in solution.metadata.get(MISTAKES_KEY, {}).items():
        yield row(f"wrong: {title}", MUST_LOSE_POINTS, InProcessAnswers(reference, code))


def _passed(reference, checks, functions):
    """Whether each check passes. Answers that are tried may well divide by zero."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return tuple(run_check(reference, check, functions, LIMITS).said is None for check in checks)


def _checks(reference, label):
    checks = [check for check in reference.checks if label_of(check) == label]
    return [c for c in checks if not is_hidden(c)], [c for c in checks if is_hidden(c)]


def _gives_decimals(reference, solution):
    """Whether some function of a solution cell gives numbers that are neither whole nor truth values."""
    forms = [reference.forms[name] for name in functions_of(solution.source)]
    return any(NUMBER in answer_forms.number_kinds(form) for form in forms)


def _takes_single(reference, solution):
    """Whether the visible checks of an exercise, as they stand in the notebook, take single precision."""
    if not _gives_decimals(reference, solution):
        return False
    answers = trial_answers.ChangedReference(reference, solution.source, trial_answers.in_single_precision)
    functions = {name: answers.raw_function(name) for name in reference.functions}
    passed = _passed(reference, _checks(reference, label_of(solution))[0], functions)
    return bool(passed) and all(passed)
