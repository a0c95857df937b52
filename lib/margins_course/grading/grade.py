"""From a submission to its marks: a function of two notebooks and nothing else.

Students' cells run in the box. Checks run here, as they stand in the instructor's notebook, with every
function that a solution defines replaced by one that asks the box: there is no message "passed" that could be
forged, and no hidden check where students' code could read it.
(book: Teaching with this book, How marking works)
"""

import ast
from collections import namedtuple
from functools import lru_cache

import nbformat

from margins_course.assignments.notebooks import KERNEL
from margins_course.assignments.proof import fresh, message, silence
from margins_course.collecting.submissions import grade_id, read_submission
from margins_course.pages.harmless import harmless
from margins_course.sandbox.answers import Answers, Limits
from margins_course.sandbox.bounds import CheckTooLong, alarm, memory

Marks = namedtuple("Marks", "points, messages, notebook")
LONGEST_MESSAGE, LARGEST_CHECK = 1000, 2 << 30  # characters; bytes


def grade(submitted, source, limits=Limits(), *, unsafe=False):  # noqa: B008 - it is frozen
    """The marks of a submitted notebook: points and messages by check, and the notebook as it was marked.

    `submitted` is the student's file, bytes of whatever kind, `source` the text of the instructor's notebook.
    """
    reference = read_reference(source)
    cells = read_submission(submitted)
    with Answers(students_cells(cells, reference), limits, unsafe) as answers:
        proxies = {name: answers.function(name) for name in reference.functions}
        messages = {}
        for cell in sorted(reference.checks, key=is_hidden):  # a visible one's message must not know them
            answers.begin_check()
            names = reference.names(cell.source)
            messages[role(cell)["grade_id"]] = verdict(cell.source, names, proxies, limits)
        results = answers.results
    points = {name: 0.0 if said else reference.points[name] for name, said in messages.items()}
    return Marks(points, messages, marked_notebook(cells, reference, results, messages))


class Reference:
    """The instructor's notebook, taken apart; its set-up is run once."""

    def __init__(self, source):
        everything = nbformat.reads(source, as_version=4).cells
        self.texts = {cell.source for cell in everything if cell.cell_type == "markdown"}
        cells = [cell for cell in everything if cell.cell_type == "code"]
        self.cells = {role(cell)["grade_id"]: cell for cell in cells}
        self.points = {
            name: float(role(cell)["points"]) for name, cell in self.cells.items() if role(cell)["grade"]
        }
        self.checks = [cell for cell in cells if self.points.get(role(cell)["grade_id"])]
        self.solutions = [cell for cell in cells if role(cell)["solution"]]
        self.setup = [cell for cell in cells if not role(cell)["grade"] and not role(cell)["solution"]]
        self.functions = [name for cell in self.solutions for name in functions_of(cell.source)]
        self._names = {"__name__": "__main__"}
        with silence():
            for cell in cells:
                if cell not in self.checks:
                    exec(compile(cell.source, role(cell)["grade_id"], "exec"), self._names)

    def names(self, check):
        """What the set-up defines; what the code of `check` names of it with data of its own."""
        return fresh(self._names, check)


@lru_cache(maxsize=4)
def read_reference(source):
    return Reference(source)


def role(cell):
    """nbgrader's metadata of a cell in the instructor's notebook."""
    return cell.metadata.nbgrader


def is_hidden(cell):
    """Whether a cell is a check that students never see."""
    return any(kind in (grade_id(cell) or "") for kind in ("hidden-check", "private-check"))


def functions_of(source):
    """The functions that a solution cell defines."""
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]


def students_cells(cells, reference):
    """What runs in the box: the set-up as it was given, then the student's own cells, in their order."""
    setup = [(role(cell)["grade_id"], cell.source) for cell in reference.setup]
    own = [(f"cell {n}", cell.source) for n, cell in enumerate(cells) if is_students(cell, reference)]
    return setup + own


def is_students(cell, reference):
    """Whether a cell's code is the student's: neither set-up nor a check, whatever was done to those."""
    given = reference.cells.get(grade_id(cell))
    return cell.cell_type == "code" and (given is None or given in reference.solutions)


def verdict(check, names, proxies, limits):
    """What a check says about the functions in the box, None if it is content."""
    try:
        with alarm(limits.check + limits.call), memory(LARGEST_CHECK):
            said = message(check, names | proxies)
    except CheckTooLong as late:
        said = f"CheckTooLong: {late}"
    return said and said[:LONGEST_MESSAGE]


def marked_notebook(submitted, reference, results, messages):
    """The submission as it was run: the student's cells, then every check, with what each said.

    Built anew, so that nothing but text of the student's reaches it: no outputs, metadata or attachments.
    """
    cells = []
    for number, cell in enumerate(submitted):
        if cell.cell_type == "markdown":
            said = cell.source if cell.source in reference.texts else harmless(cell.source)
            cells.append(nbformat.v4.new_markdown_cell(said))
        elif is_students(cell, reference):
            cells.append(_marked_cell(cell, reference, results[f"cell {number}"]))
    cells += [_marked_check(cell, messages[role(cell)["grade_id"]]) for cell in reference.checks]
    for number, cell in enumerate(cells, 1):
        cell.id = f"cell-{number}"
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def _marked_cell(cell, reference, result):
    given = reference.cells.get(grade_id(cell))
    made = nbformat.v4.new_code_cell(cell.source, metadata={"nbgrader": dict(role(given))} if given else {})
    if result.printed:
        made.outputs.append(nbformat.v4.new_output("stream", name="stdout", text=result.printed))
    if result.error:
        kind, said, trace = result.error
        made.outputs.append(
            nbformat.v4.new_output("error", ename=kind, evalue=said, traceback=trace.splitlines())
        )
    return made


def _marked_check(cell, said):
    made = nbformat.v4.new_code_cell(cell.source, metadata={"nbgrader": dict(role(cell))})
    if said:
        kind, _, message = said.partition(": ")
        made.outputs.append(nbformat.v4.new_output("error", ename=kind, evalue=message, traceback=[said]))
    return made
