"""The three notebooks of an assignment: valid, the same twice, right for nbgrader and Otter."""

import nbformat
import pytest

from margins_course.assignments.notebooks import as_bytes, nbgrader_source, otter_source, student_notebook
from margins_course.book import requirement
from tests.margins_course import exercises
from tests.margins_course.assignments.test_checks_of_the_book import SAMPLED, name


def nbgrader_release(notebook):
    """What nbgrader itself would give to students of an instructor's notebook."""
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions  # dear, and wanted here alone

    for step in (ClearSolutions, ClearHiddenTests):
        notebook, _ = step().preprocess(notebook, {"metadata": {}})
    return notebook


def test_notebooks_are_valid_and_the_same_twice(assigned):
    for make in (student_notebook, nbgrader_source, otter_source):
        notebook = make(assigned)
        nbformat.validate(notebook)
        assert as_bytes(notebook) == as_bytes(make(assigned))


def test_nbgrader_clears_the_source_to_cells_students_get(assigned):
    cleared = nbgrader_release(nbgrader_source(assigned))
    named = {c.metadata.nbgrader.grade_id: c for c in cleared.cells if "nbgrader" in c.metadata}
    for cell in student_notebook(assigned).cells:
        if "nbgrader" in cell.metadata:
            role, given = cell.metadata.nbgrader, cell.metadata.get
            assert (given("editable", True), given("deletable", True)) == (role.solution,) * 2
            assert role.solution or named[role.grade_id].source == cell.source
    for role, cell in named.items():
        if "hidden" in role:
            assert cell.source.strip() == "# hidden: runs when the work is marked"


@pytest.mark.parametrize("path", SAMPLED, ids=name)
def test_otter_source_runs_and_its_tests_are_silent_single_statements(path, monkeypatch, capsys):
    """Otter cuts a test into lines, and takes every one that is not indented for a statement of its own."""
    assigned, names, tests, opened = exercises.assigned(path), {}, [], ""
    monkeypatch.setenv("NBGRADER_EXECUTION", "")  # restored afterwards: Otter's cells set it
    cells = otter_source(assigned).cells
    for cell in cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, "otter", "exec"), names)
            tests += [cell.source] if opened == "# BEGIN TESTS" else []
        else:
            opened = cell.source
    assert "Right:" not in capsys.readouterr().out
    assert requirement() in cells[0].source
    assert len(tests) == len([cell for cell in assigned.cells if cell.is_graded])
    for test in tests:
        first, *rest = [line for line in test.splitlines() if line.strip() and line != "# HIDDEN"]
        assert first == "if True:"
        assert all(line.startswith(" ") for line in rest)
    questions = [cell for cell in cells if cell.source.startswith("# BEGIN QUESTION")]
    assert len(questions) == len([cell for cell in assigned.cells if cell.kind in ("solution", "answer")])
