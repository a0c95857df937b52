"""What a student wrote, by exercise, whatever became of the cells."""

import base64
import json

import pytest

from margins_course.assignments.notebooks import ANSWER_HERE
from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.submissions import read_submission
from margins_course.grading.grade import cells_to_run, grade
from margins_course.grading.reference import read_reference
from margins_course.grading.student_work import Given, work_by_exercise
from margins_course.sandbox.answers import CellResult
from tests.margins_course.chapter_text import rubric, solved, stated
from tests.margins_course.review_class import png
from tests.margins_course.sums_assignment import CHAPTER, RIGHT, notebooks

EVEN = rubric("2 points: the definition of even is used.")
PROOF = stated("even", "Even · prove", f"Show that `twice` gives even numbers.\n\n{EVEN}")
PROOF += solved("even", "By definition.")
ANSWER = "An even number is twice a number."


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """The small chapter with a proof between its exercises: both notebooks as text."""
    middle = ":::{exercise-start} Total · code"
    text = CHAPTER.replace(middle, f"{PROOF}\n{middle}")
    return notebooks(tmp_path_factory.mktemp("chapter"), text)


@pytest.fixture(scope="module")
def given(three):
    return Given(read_reference(three[0]), read_sheet(three[0]))


def changed(three, *changes):
    """The cells of the students' notebook after some changes."""
    notebook = json.loads(three[1])
    for change in changes:
        change(notebook["cells"])
    return read_submission(json.dumps(notebook).encode())


def number_of(cells, name):
    roles = [cell["metadata"].get("nbgrader", {}).get("grade_id", "") for cell in cells]
    return roles.index(name)


def write(name, text):
    """A change that writes text into the cell of that name."""
    return lambda cells: cells[number_of(cells, name)].update(source=text)


def add(kind, text, after=None):
    """A change that adds a cell after the one of that name, or before all."""
    cell = {"cell_type": kind, "metadata": {}, "source": text}
    cell |= {"outputs": [], "execution_count": None} if kind == "code" else {}
    return lambda cells: cells.insert(number_of(cells, after) + 1 if after else 0, cell)


def without_names(cells):
    for cell in cells:
        cell["metadata"] = {}


def spaced(cells):
    for cell in cells:
        cell["source"] = "".join(cell["source"]).replace("\n", "  \n") + "\n\n"


TWICE, PROVED = write("twice--solution-1", RIGHT["twice"]), write("even--answer", ANSWER)
TOTAL, SET_UP = write("total--solution-1", RIGHT["total"]), "import numpy as np\nfrom math import prod"
LAST = "total--check-1"
CHANGES = {  # what was done to the notebook as it was given out, and the work that is found
    "nothing": ([], {}),
    "names lost": ([without_names], {}),
    "white space and an empty cell": ([spaced, add("code", "  \n", LAST)], {}),
    "a locked cell written over": ([write("twice--check-1", "twice = None")], {}),
    "set-up deleted": ([write("setup-1", "")], {}),
    "set-up saved by another system": ([write("setup-1", "import numpy as np  \r\n")], {}),
    "set-up changed": ([write("setup-1", SET_UP)], {"": [SET_UP]}),
    "another order": ([TWICE, PROVED, list.reverse], {"twice": [RIGHT["twice"]], "even": [ANSWER]}),
    "cells added, each in its exercise": (
        [
            add("code", "twice(3)", "twice--solution-1"),
            add("markdown", ANSWER, "even--answer"),
            add("code", "total([1])", LAST),
            add("code", "import math"),
        ],
        {"": ["import math"], "twice": ["twice(3)"], "even": [ANSWER], "total": ["total([1])"]},
    ),
    "names lost, found by place and by function": (
        [PROVED, TOTAL, without_names, add("code", RIGHT["twice"])],  # before everything, and yet an answer
        {"twice": [RIGHT["twice"]], "even": [ANSWER], "total": [RIGHT["total"]]},
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_work_is_found_by_name_place_and_function_and_what_was_given_is_none(three, given, kind):
    changes, expected = CHANGES[kind]
    work = work_by_exercise(changed(three, *changes), {}, given, {})
    found = {label: [piece.source for piece in done.pieces] for label, done in work.items()}
    assert found == {"twice": [], "even": [], "total": []} | expected
    assert ANSWER_HERE in three[1]


def test_an_answer_written_into_the_statement_is_found(three, given):
    def change(cells):
        (cell,) = [cell for cell in cells if "".join(cell["source"]).startswith("## Even")]
        cell["source"] = "".join(cell["source"]) + f"\n\n{ANSWER}"

    (found,) = work_by_exercise(changed(three, change), {}, given, {})["even"].pieces
    assert found.source.endswith(ANSWER)


def test_a_photographed_proof_is_a_picture_of_its_answer(three, boxes):
    notebook = json.loads(three[1])
    cell = notebook["cells"][number_of(notebook["cells"], "even--answer")]
    attached = {"my proof.png": {"image/png": png(40, 30)}}
    cell |= {"source": "![](attachment:my%20proof.png)", "attachments": attached}
    work = grade(json.dumps(notebook).encode(), three[0]).work
    (piece,) = work["even"].pieces
    assert piece.source == "![](attachment:my%20proof.png)"
    content = base64.b64decode(piece.pictures[0])
    assert content.startswith(b"\x89PNG")
    assert content != base64.b64decode(png(40, 30))  # written anew
    assert not work["total"].pieces


def test_locked_cells_do_not_run_and_changed_set_up_runs_after_the_given_one(three, given):
    changes = write("twice--check-1", "twice = None"), write("setup-1", SET_UP)
    reference = read_reference(three[0])
    to_run, exercises = cells_to_run(changed(three, *changes), reference, given)
    assert [code for _, code in to_run[:2]] == [reference.setup[0].source, SET_UP]
    assert not any("None" in code for _, code in to_run)
    assert [exercises[name] for name, _ in to_run[1:]] == ["", "twice", "total"]
    assert (exercises["twice"], exercises["total"]) == ("twice", "total")


def test_pieces_carry_what_their_cells_did_and_the_fingerprint_changes_with_what_is_seen(three, given):
    cells = changed(three, TWICE)
    number = next(n for n, cell in enumerate(cells) if cell.source == RIGHT["twice"])
    result = CellResult("seen", ("ValueError", "no", "trace"), ("cGljdHVyZQ==",))

    def work(cells, messages, **results):
        return work_by_exercise(cells, results, given, messages)["twice"]

    told = work(cells, {}, **{f"cell {number}": result})
    (piece,) = told.pieces
    assert (piece.printed, piece.error, piece.pictures) == ("seen", result.error, result.pictures)
    late = CellResult("seen", ("ValueError", "no answer after 9.87 seconds", "trace"), result.pictures)
    assert told.fingerprint == work(cells, {}, **{f"cell {number}": late}).fingerprint
    others = [
        work(cells, {}),  # nothing was printed: another cell may have changed what this one shows
        work(changed(three, write("twice--solution-1", "other")), {}),
        work(cells, {"twice--check-1": "failed"}),
    ]
    assert len({told.fingerprint, *(other.fingerprint for other in others)}) == 4
    elsewhere = work(cells, {"total--check-1": "failed"}, **{f"cell {number}": result})
    assert elsewhere.fingerprint == told.fingerprint
