"""What a student wrote, by exercise, whatever became of the cells."""

import base64
import json

import pytest

from margins_book.page.chapter import read_chapter
from margins_course.assignments.notebooks import (
    ANSWER_HERE,
    as_bytes,
    nbgrader_source,
    student_notebook,
)
from margins_course.assignments.sheet import read_sheet
from margins_course.assignments.trials import complete_source
from margins_course.collecting.submissions import read_submission
from margins_course.grading.grade import cells_to_run, grade
from margins_course.grading.reference import read_reference
from margins_course.grading.student_work import Given, work_by_exercise
from margins_course.sandbox.answers import CellResult
from tests.margins_course.chapter_text import rubric, solved, stated
from tests.margins_course.feedback_samples import png
from tests.margins_course.sums_assignment import CHAPTER, RIGHT, assignment, require_sandbox

EVEN = rubric("2 points: the definition of even is used.")
PROOF = stated("even", "Even · prove", f"Show that `twice` gives even numbers.\n\n{EVEN}")
PROOF += solved("even", "By definition.")
ANSWER = "An even number is twice a number."


@pytest.fixture(scope="module")
def sums(tmp_path_factory):
    """The small chapter with a proof between its exercises: both notebooks as text."""
    path = tmp_path_factory.mktemp("chapter") / "sums.md"
    middle = ":::{exercise-start} Total · code"
    assert CHAPTER.count(middle) == 1
    path.write_text(CHAPTER.replace(middle, f"{PROOF}\n{middle}"), encoding="utf-8")
    made = assignment(read_chapter(path), "https://example.org/sums.html")
    source = as_bytes(complete_source(nbgrader_source(made), [])).decode()
    return source, as_bytes(student_notebook(made)).decode()


def changed(student, change):
    """The cells of the students' notebook after a change."""
    notebook = json.loads(student)
    change(notebook["cells"])
    return read_submission(json.dumps(notebook).encode())


def pieces(source, cells, results=None):
    """The sources of each exercise's pieces."""
    reference, sheet = read_reference(source), read_sheet(source)
    work = work_by_exercise(cells, results or {}, Given(reference, sheet), {})
    return {label: [piece.source for piece in found.pieces] for label, found in work.items()}


def role(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def number_of(cells, name):
    (number,) = [number for number, cell in enumerate(cells) if role(cell) == name]
    return number


def write(name, text):
    """A change that writes text into the cell of that name."""

    def change(cells):
        cells[number_of(cells, name)]["source"] = text

    return change


def new(kind, text):
    cell = {"cell_type": kind, "metadata": {}, "source": text}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def without_names(cells):
    for cell in cells:
        cell["metadata"] = {}


NOTHING = {"twice": [], "even": [], "total": []}


def test_the_notebook_as_it_was_given_out_is_no_work(sums):
    source, student = sums
    assert ANSWER_HERE in student
    assert pieces(source, changed(student, lambda cells: None)) == NOTHING
    assert pieces(source, changed(student, without_names)) == NOTHING


def test_white_space_and_empty_cells_are_no_work(sums):
    source, student = sums

    def change(cells):
        for cell in cells:
            cell["source"] = "".join(cell["source"]).replace("\n", "  \n") + "\n\n"
        cells.append(new("code", "  \n"))

    assert pieces(source, changed(student, change)) == NOTHING


def test_answers_are_found_by_the_names_of_their_cells_wherever_they_stand(sums):
    source, student = sums

    def change(cells):
        write("twice--solution-1", RIGHT["twice"])(cells)
        write("even--answer", ANSWER)(cells)
        cells.reverse()

    assert pieces(source, changed(student, change)) == NOTHING | {"twice": [RIGHT["twice"]], "even": [ANSWER]}


def test_cells_that_were_added_belong_to_the_exercise_in_which_they_stand(sums):
    source, student = sums

    def change(cells):
        cells.insert(number_of(cells, "twice--solution-1") + 1, new("code", "twice(3)"))
        cells.insert(number_of(cells, "even--answer") + 1, new("markdown", ANSWER))
        cells.append(new("code", "total([1])"))
        cells.insert(0, new("code", "import math"))

    expected = {"": ["import math"], "twice": ["twice(3)"], "even": [ANSWER], "total": ["total([1])"]}
    assert pieces(source, changed(student, change)) == expected


def test_answers_whose_cells_lost_their_names_are_found_by_place_and_by_function(sums):
    source, student = sums

    def change(cells):
        write("even--answer", ANSWER)(cells)
        write("total--solution-1", RIGHT["total"])(cells)
        without_names(cells)
        cells.insert(1, new("code", RIGHT["twice"]))  # before everything, and yet an answer to twice

    expected = {"twice": [RIGHT["twice"]], "even": [ANSWER], "total": [RIGHT["total"]]}
    assert pieces(source, changed(student, change)) == expected


def test_an_answer_written_into_the_statement_is_found(sums):
    source, student = sums

    def change(cells):
        (cell,) = [cell for cell in cells if "".join(cell["source"]).startswith("## Even")]
        cell["source"] = "".join(cell["source"]) + f"\n\n{ANSWER}"

    (found,) = pieces(source, changed(student, change))["even"]
    assert found.endswith(ANSWER)


def test_a_photographed_proof_is_a_picture_of_its_answer(sums):
    require_sandbox()
    source, student = sums
    notebook = json.loads(student)
    cell = notebook["cells"][number_of(notebook["cells"], "even--answer")]
    attached = {"my proof.png": {"image/png": png(40, 30)}}
    cell |= {"source": "![](attachment:my%20proof.png)", "attachments": attached}
    work = grade(json.dumps(notebook).encode(), source).work
    (piece,) = work["even"].pieces
    assert piece.source == "![](attachment:my%20proof.png)"
    content = base64.b64decode(piece.pictures[0])
    assert content.startswith(b"\x89PNG")
    assert content != base64.b64decode(png(40, 30))  # written anew
    assert not work["total"].pieces


def test_what_stands_in_locked_cells_is_no_work_and_does_not_run(sums):
    source, student = sums

    def change(cells):
        write("twice--check-1", "twice = None")(cells)

    cells = changed(student, change)
    assert pieces(source, cells) == NOTHING
    reference, sheet = read_reference(source), read_sheet(source)
    to_run, exercises = cells_to_run(cells, reference, Given(reference, sheet))
    assert to_run[0][1] == reference.setup[0].source
    assert not any("None" in code for _, code in to_run)
    assert {exercises[name] for name, _ in to_run[len(reference.setup) :]} == {"twice", "total"}
    assert (exercises["twice"], exercises["total"]) == ("twice", "total")


def test_set_up_that_was_changed_runs_after_the_given_one_and_is_shown(sums):
    source, student = sums
    cells = changed(student, write("setup-1", "import numpy as np\nfrom math import prod"))
    assert pieces(source, cells)[""] == ["import numpy as np\nfrom math import prod"]
    reference, sheet = read_reference(source), read_sheet(source)
    to_run, exercises = cells_to_run(cells, reference, Given(reference, sheet))
    assert [code for _, code in to_run[:2]] == [reference.setup[0].source, cells[2].source]
    assert exercises[to_run[1][0]] == ""
    for same in ("", "import numpy as np  \r\n"):  # deleted, or saved by another system
        assert pieces(source, changed(student, write("setup-1", same))) == NOTHING


def test_pieces_carry_what_their_cells_did_and_the_fingerprint_changes_with_what_is_seen(sums):
    source, student = sums
    cells = changed(student, write("twice--solution-1", RIGHT["twice"]))
    number = next(n for n, cell in enumerate(cells) if cell.source == RIGHT["twice"])
    result = CellResult("seen", ("ValueError", "no", "trace"), ("cGljdHVyZQ==",))
    reference, sheet = read_reference(source), read_sheet(source)

    def work(cells, messages, **results):
        return work_by_exercise(cells, results, Given(reference, sheet), messages)["twice"]

    told = work(cells, {}, **{f"cell {number}": result})
    (piece,) = told.pieces
    assert (piece.printed, piece.error, piece.pictures) == ("seen", result.error, result.pictures)
    late = CellResult("seen", ("ValueError", "no answer after 9.87 seconds", "trace"), result.pictures)
    assert told.fingerprint == work(cells, {}, **{f"cell {number}": late}).fingerprint
    others = [
        work(cells, {}),  # nothing was printed: another cell may have changed what this one shows
        work(changed(student, write("twice--solution-1", "other")), {}),
        work(cells, {"twice--check-1": "failed"}),
    ]
    assert len({told.fingerprint, *(other.fingerprint for other in others)}) == 4
    elsewhere = work(cells, {"total--check-1": "failed"}, **{f"cell {number}": result})
    assert elsewhere.fingerprint == told.fingerprint
