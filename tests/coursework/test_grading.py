"""Marking in the box agrees with the proof in one process, on every chapter; a box holds what is in it."""

import time
from functools import cache

import numpy as np
import psutil
import pytest

from margins_course.assignments.notebooks import as_bytes, nbgrader_source, student_notebook
from margins_course.grading.grade import grade, verdict
from margins_course.sandbox.answers import Answers, Limits
from margins_course.sandbox.box import Box, BoxFailure
from tests.coursework.boxes import CHAPTER, FULL, RIGHT, answered, by_exercise, require_boxes
from tests.coursework.exercises import CHAPTERS, assigned, said, solutions, variants
from tests.coursework.test_checks_bite import name
from tests.mutants.slips import mutants


@pytest.fixture(autouse=True, scope="module")
def boxes():
    require_boxes()


@cache
def notebooks(path):
    """A chapter's assignment, and the texts of the instructor's and the students' notebook."""
    made = assigned(path)
    return made, *(as_bytes(make(made)).decode() for make in (nbgrader_source, student_notebook))


@pytest.fixture(scope="module")
def sums(tmp_path_factory):
    path = tmp_path_factory.mktemp("chapter") / "sums.md"
    path.write_text(CHAPTER, encoding="utf-8")
    return notebooks(path)[1:]


def marked(submitted, source):
    """The marks of a notebook that is text."""
    return grade(submitted.encode(), source)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_reference_gets_every_point_and_the_stub_none(path):
    made, source, student = notebooks(path)
    right = marked(answered(student, solutions(path)), source)
    assert sum(right.points.values()) == made.points, right.messages
    assert sum(marked(student, source).points.values()) == 0


def rows_of_answers(path):
    """Submissions that answer every exercise with a known mistake, until each was made, or with a mutant."""
    mistakes = {label: list(variants(label).values()) for label in solutions(path)}
    for turn in range(max(map(len, mistakes.values()))):
        yield {label: row[turn % len(row)] for label, row in mistakes.items()}
    slips = {label: [code for _, code in mutants(solution)] for label, solution in solutions(path).items()}
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        yield {label: row[int(share * len(row))] for label, row in slips.items()}


@pytest.mark.slow
@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_both_executors_agree_on_known_mistakes_and_on_mutants(path):
    _, source, student = notebooks(path)
    for answers in rows_of_answers(path):
        marks = marked(answered(student, answers), source)
        for label, code in answers.items():
            boxed = [
                not message for check, message in marks.messages.items() if check.startswith(f"{label}--")
            ]
            assert boxed == [not message for message in said(path, label, code)], f"{code}\n{marks.messages}"


def test_an_exercise_that_fails_leaves_the_other_alone(sums):
    source, student = sums
    marks = marked(answered(student, RIGHT | {"twice": "def twice(x):\n    return x"}), source)
    assert by_exercise(marks.points) == {"twice": 0.0, "total": FULL["total"]}
    assert marks.messages["twice--check-1"] == "AssertionError: twice 0, 1, 2"


def test_marks_of_one_submission_do_not_depend_on_the_one_before(sums):
    source, student = sums
    right = answered(student, RIGHT)
    first = marked(right, source)
    marked(answered(student, {"twice": "def twice(x):\n    x[:] = 7\n    return x"}), source)
    assert marked(right, source) == first


def test_a_function_that_changes_its_argument_fails_and_is_told_why(sums):
    source, student = sums
    code = "def twice(x):\n    x *= 2\n    return x"
    marks = marked(answered(student, RIGHT | {"twice": code}), source)
    assert by_exercise(marks.points) == {"twice": 0.0, "total": 5.0}
    assert "changed one of its arguments" in marks.messages["twice--check-1"]


def test_marked_notebook_holds_what_was_printed_and_what_failed(sums):
    source, student = sums
    code = RIGHT["total"] + "\nprint('seen')\nimport warnings, sys\nwarnings.warn('harmless')\n1 / 0"
    marks = marked(answered(student, RIGHT | {"total": code}), source)
    assert by_exercise(marks.points) == FULL  # an error after the definition and a warning cost nothing
    (cell,) = [cell for cell in marks.notebook.cells if "seen" in cell.source]
    assert cell.outputs[0].text.startswith("seen\n")
    assert cell.outputs[1].ename == "ZeroDivisionError"


def test_a_million_numbers_go_in_and_come_back():
    box = Box()
    box.ask({"run": "def back(x):\n    return x[::-1]", "name": "cell"}, 20)
    sent = np.random.default_rng(1).normal(size=1_000_000)
    reply = box.ask({"call": "back", "arguments": [[sent], {}]}, 20)
    box.close()
    assert np.array_equal(reply["value"], sent[::-1])


def test_modules_that_scipy_seldom_needs_wait_in_the_box_until_they_are_used():
    """Their absence would save nothing if they came all the same, and cost marks if they never did."""
    box = Box()
    come = "import sys\nfrom scipy.optimize import nnls\nlate = 'scipy.spatial.distance' not in sys.modules"
    use = "from scipy.spatial import distance\nfrom numpy.testing import assert_allclose"
    answer = "def answer():\n    return late, float(distance.euclidean([0], [5])), assert_allclose(1, 1)"
    box.ask({"run": f"{come}\n{use}\n{answer}", "name": "cell"}, 30)
    reply = box.ask({"call": "answer", "arguments": [[], {}]}, 20)
    box.close()
    assert reply["value"] == (True, 5.0, None)


@pytest.fixture
def waits(monkeypatch):
    """Of each request to a box: the seconds allowed, and those taken; the start of a box is left out."""
    seen, ask = [], Box.ask

    def timed(box, request, seconds):
        start = time.monotonic()
        try:
            return ask(box, request, seconds)
        finally:
            seen.append((seconds, time.monotonic() - start))

    monkeypatch.setattr(Box, "ask", timed)
    return seen


def test_time_limits_hold_for_a_call_a_check_and_a_submission(waits):
    slow = "import time\ndef f(x):\n    time.sleep(x)\n    return x\ndef g(x):\n    return x"
    with Answers([("cell", slow)], Limits(call=3.0, check=15.0, submission=60.0)) as answers:
        answers.begin_check()
        with pytest.raises(Exception, match="no answer after 3 seconds"):
            answers.function("f")(20)
        with pytest.raises(Exception, match="no answer after 3 seconds"):
            answers.function("f")(0)  # is not tried again
        assert answers.function("g")(4) == 4  # in a fresh box
    assert sum(taken for _, taken in waits) < 10


def test_a_check_that_an_answer_makes_huge_fails_before_it_takes_the_memory():
    reason = verdict("import numpy as np\nnp.empty(6 << 27)", {}, {}, Limits())  # 6 GB, never touched
    assert reason.startswith("MemoryError")
    assert verdict("import numpy as np\nnp.empty(1 << 20)", {}, {}, Limits()) is None


def test_what_a_cell_printed_is_what_it_printed_before_any_check():
    """A later run knows when it comes, and so could tell what a check has asked meanwhile."""
    code = "import os, time\nprint(time.time())\ndef f(x):\n    os._exit(0)\ndef g():\n    return 1"
    with Answers([("cell", code)]) as answers:
        first = answers.results["cell"].printed
        with pytest.raises(Exception, match="ended its own"):
            answers.function("f")(1)
        assert answers.function("g")() == 1
        assert answers.results["cell"].printed == first


def test_cells_that_use_up_the_submissions_time_end_it(waits):
    cells = [(f"cell {n}", "import time\ntime.sleep(30)") for n in range(50)]
    with Answers(cells, Limits(call=1.0, check=1.0, submission=2.5)) as answers:
        assert len(answers.results) == 50
        assert all(result.error for result in answers.results.values())
        with pytest.raises(Exception, match="used up"):
            answers.function("f")(1)
    assert sum(allowed for allowed, _ in waits) <= 2.5
    assert sum(taken for _, taken in waits) < 10


def test_nothing_is_left_running_when_a_box_is_closed():
    box = Box()
    spawn = "import threading, time\nfor _ in range(5):\n    threading.Thread(target=time.sleep, args=[600])"
    box.ask({"run": f"{spawn}.start()", "name": "cell"}, 10)
    inside = [psutil.Process(box.process.pid), *psutil.Process(box.process.pid).children(recursive=True)]
    assert inside[-1].num_threads() == 6
    with pytest.raises(BoxFailure, match="no answer after 1 seconds"):
        box.ask({"run": "while True:\n    pass", "name": "endless"}, 1)
    _, alive = psutil.wait_procs(inside, timeout=5)
    assert alive == []
