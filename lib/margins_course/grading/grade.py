"""From a submission to its result: a function of two notebooks and nothing else.

Students' cells run in the sandbox. Checks run here, as they stand in the instructor's notebook, with every
function that a solution defines replaced by one that asks the sandbox: there is no message "passed" that
could be forged, and no hidden check where students' code could read it.
(book: Teaching with this book, How marking works)
"""

from dataclasses import replace

from nbformat import NotebookNode

from margins_course.assignments.cells import grade_id, label_of
from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.submissions import read_submission
from margins_course.grading.judge import Judgement, judged
from margins_course.grading.marked_notebook import marked_notebook
from margins_course.grading.reference import Reference, read_reference
from margins_course.grading.results import Result
from margins_course.grading.work import Given, work_by_exercise
from margins_course.sandbox.answers import Answers, Limits


def grade(
    submitted: bytes,
    source: str,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
    *,
    unsafe: bool = False,
    key: str = "",
    before: Result | None = None,
    only: str | None = None,
) -> Result:
    """The result of a submitted notebook, under a key that says what it was made from.

    `submitted` is the student's file, bytes of whatever kind, `source` the text of the instructor's notebook.
    With `only`, an exercise's label, the other exercises keep what the result `before` says of their checks.
    """
    reference, sheet = read_reference(source), read_sheet(source)
    reference.require_forms()
    cells, given = read_submission(submitted), Given(reference, sheet)
    to_run, exercises = cells_to_run(cells, reference, given)
    with Answers(to_run, limits, unsafe, exercises=exercises) as answers:
        made = judged(reference, answers, limits, only)
        results = answers.results
    if only is not None:
        made = _with_others(made, before, reference, only)
    work = work_by_exercise(cells, results, given, sheet, made.messages)
    notebook = marked_notebook(cells, reference, results, made.messages)
    return Result(key, made.points, made.messages, made.praise, made.corners, work, notebook)


def cells_to_run(
    cells: list[NotebookNode], reference: Reference, given: Given
) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """What runs in the sandbox, in order: the set-up as it was given, then the student's own code.

    Besides, the exercise of each cell and function by name: its time is the exercise's.
    """
    exercises = {name: label_of(cell) for name, cell in reference.functions.items()}
    to_run = [(grade_id(cell), cell.source) for cell in reference.setup]
    for number, (cell, here) in enumerate(zip(cells, given.places(cells), strict=True)):
        if cell.cell_type == "code" and not given.is_locked(cell):
            to_run.append((f"cell {number}", cell.source))
            exercises[f"cell {number}"] = here
    return to_run, exercises


def _with_others(made, before, reference, only) -> Judgement:
    """The verdicts on one exercise, together with those that a result holds on the others."""
    kept = {name for name in reference.points if not name.startswith(f"{only}--")}
    parts = ("points", "messages", "praise", "corners")
    old = {part: {n: v for n, v in getattr(before, part).items() if n in kept} for part in parts}
    return replace(made, **{part: old[part] | getattr(made, part) for part in parts})
