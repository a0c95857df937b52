"""A submission costs its own exercise only: time is kept by exercise, a death leaves the others alone."""

import sys
import time

import pytest

from margins_course.sandbox.answers import Answers, Limits, StudentError
from margins_course.sandbox.process import SandboxProcess

pytestmark = pytest.mark.usefixtures("boxes")
GOOD = "def good(x):\n    return 2 * x"
BUSY = """
import time
def busy(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
"""
SLOW = BUSY + "def slow(x):\n    busy(x)\n    return x"
EXERCISES = {"bad cell": "bad", "slow": "bad", "other": "bad", "good cell": "fine", "good": "fine"}


def submitted(source, limits, **more):
    """A submission with one bad exercise and a good one behind it."""
    cells = [("bad cell", source), ("good cell", GOOD)]
    return Answers(cells, limits, exercises=EXERCISES, **more)


def test_a_function_that_uses_up_its_exercises_time_leaves_the_others():
    with submitted(SLOW, Limits(call=5.0, check=30.0, submission=60.0, exercise=1.5)) as answers:
        answers.begin_check()
        assert answers.function("slow")(1.0) == 1.0
        with pytest.raises(StudentError, match=r"no answer after 0\.\d+ seconds, the rest of 1.5 seconds"):
            answers.function("slow")(1.0)
        with pytest.raises(StudentError, match=r"the 1\.5 seconds for an exercise are used up"):
            answers.function("other")(1.0)
        with pytest.raises(StudentError, match="no answer after"):  # it is not tried again
            answers.function("slow")(0.0)
        answers.begin_check()
        assert answers.function("good")(4) == 8
        assert answers.stopped.keys() == {"slow"}  # its cell has run again


def test_a_check_that_is_out_of_time_does_not_end_the_function():
    with submitted(SLOW, Limits(call=5.0, check=1.0, submission=60.0, exercise=20.0)) as answers:
        answers.begin_check()
        with pytest.raises(StudentError, match="the rest of 1 seconds for a check"):
            answers.function("slow")(3)
        answers.begin_check()
        answers.time_budget.spend("slow", 1.0)
        with pytest.raises(StudentError, match="the 1 seconds for a check are used up"):
            answers.function("good")(4)
        answers.begin_check()
        assert answers.function("good")(4) == 8


def test_cells_of_no_exercise_share_one_account():
    cells = [*((f"extra {n}", BUSY + "busy(0.4)") for n in range(20)), ("good cell", GOOD)]
    with Answers(cells, Limits(exercise=1.5), exercises=EXERCISES) as answers:
        assert answers.function("good")(1) == 2
        left_out = [result for result in answers.results.values() if result.error]
        assert 16 <= len(left_out) <= 18
        assert "seconds for all cells of no exercise" in left_out[-1].error[1]


def test_cells_that_use_up_the_submissions_time_end_it():
    cells = [(f"cell {n}", "import time\ntime.sleep(30)") for n in range(50)]
    with Answers(cells, Limits(call=1.0, check=1.0, submission=2.5, patience=1.0)) as answers:
        said = [result.error[1] for result in answers.results.values()]
        assert len([one for one in said if one.startswith("no answer after")]) <= 3
        assert said[3:] == ["the 2.5 seconds for a submission are used up"] * 47
        with pytest.raises(StudentError, match="used up"):
            answers.function("f")(1)


def test_cells_that_end_the_box_again_and_again_pay_for_its_starts():
    """A thousand of them would otherwise start as many boxes, and run the others' cells as often."""
    cells = [("good cell", BUSY + "busy(0.2)\n" + GOOD)]
    cells += [(f"extra {n}", "import os\nos._exit(0)") for n in range(200)]
    with Answers(cells, Limits(exercise=2.0), exercises=EXERCISES) as answers:
        assert answers.time_budget.used["fine"] < 0.5
        assert answers.function("good")(1) == 2
        assert answers.requests.count("good cell") < 12


def test_a_cell_that_hangs_only_when_it_runs_again_is_left_out(monkeypatch):
    """It cannot know that it runs again; here the test tells it."""
    runs, ask = [], SandboxProcess.ask

    def telling(box, request, *limits):
        if request.get("name") == "bad cell":
            runs.append(request)
            if len(runs) == 2:
                request = request | {"run": "while True:\n    pass"}
        return ask(box, request, *limits)

    monkeypatch.setattr(SandboxProcess, "ask", telling)
    cells = [("bad cell", "import os\ndef slow(x):\n    os._exit(0)")]
    cells.append(("good cell", f"import time\nprint(time.time())\n{GOOD}"))
    with Answers(cells, Limits(call=1.0), exercises=EXERCISES) as answers:
        first = dict(answers.results)
        with pytest.raises(StudentError, match="ended its own"):
            answers.function("slow")(1)
        answers.begin_check()
        assert answers.function("good")(1) == 2
        with pytest.raises(StudentError, match="ended its own"):
            answers.function("slow")(1)
        with pytest.raises(NameError, match="'other' is not defined"):
            answers.function("other")(1)
        assert answers.results == first  # a later run could tell what the checks have asked
        assert answers.time_budget.used["fine"] < 0.5


LATER = "import os, threading\nthreading.Timer(0.5, os._exit, [0]).start()\ndef slow(x):\n    return x"


def test_a_thread_that_ends_the_box_between_two_checks_costs_none():
    with submitted(LATER, Limits()) as answers:
        assert answers.function("slow")(1) == 1
        answers.process.process.wait(10)
        answers.begin_check()
        assert answers.function("good")(1) == 2


FORGED = """
def say(text=None):
    import json, struct, sys
    frame, number = sys._getframe(), None
    while "answers" not in frame.f_locals:
        number = dict(frame.f_locals.get("request") or {}).get("number", number)
        frame = frame.f_back
    parts = {"value": 7.0, "changed": False, "number": number, "output": "", "figures": 0}
    said = text or json.dumps({"dict": [[name, value] for name, value in parts.items()]}).encode()
    frame.f_locals["answers"].write(struct.pack("!II", len(said), 0) + said)
    frame.f_locals["answers"].flush()
"""


def test_a_reply_that_nobody_asked_for_costs_the_function_or_the_cell_that_wrote_it():
    bad = f"{FORGED}\ndef slow(x):\n    say()\n    return 1.0"
    with submitted(bad, Limits()) as answers:
        answers.begin_check()
        assert answers.function("slow")(1) == 7.0
        answers.begin_check()
        assert [answers.function("good")(number) for number in (4, 5)] == [8, 10]
        with pytest.raises(StudentError, match="replied more than once"):
            answers.function("slow")(1)
    with submitted(f"{bad}\nsay()", Limits()) as answers:
        assert answers.function("good")(4) == 8
        assert "replied more than once" in answers.results["bad cell"].error[1]
        assert answers.results["good cell"].error is None


def test_a_traceback_begins_in_the_students_code_and_names_no_folder_of_the_teachers():
    code = "import numpy as np\ndef f():\n    return np.linalg.inv(np.zeros((2, 3)))\nf()"
    with submitted(code, Limits()) as answers:
        kind, _, trace = answers.results["bad cell"].error
    assert kind == "LinAlgError"
    lines = trace.splitlines()
    assert lines[:2] == ["Traceback (most recent call last):", '  File "bad cell", line 4, in <module>']
    assert '  File "numpy/linalg/_linalg.py"' in trace
    assert not any(folder in trace for folder in (sys.prefix, sys.base_prefix, "margins_course"))
    with submitted("def f(:\n    pass", Limits()) as answers:
        assert answers.results["bad cell"].error[2].splitlines()[0] == '  File "bad cell", line 1'


COLLIDING = b",".join(b"[%d, 0]" % (number * (2**61 - 1)) for number in range(900))
SPOKEN = {
    "no dict": b'{"list": []}',
    "shape that is none": b'{"array": ["float64", 0, 33554432, 33554432, 33554432]}',
    "figures without number": b'{"dict": [["figures", {"list": [1]}], ["output", 3]]}',
    "too many figures": b'{"dict": [["figures", 1000000000000]]}',
    "infinite figures": b'{"dict": [["figures", Infinity]]}',
    "an error that is none": b'{"dict": [["error", {"dict": [[1, 2]]}]]}',
    "an error without parts": b'{"dict": [["error", {"list": []}]]}',
    "deep": b'{"list": [' * 2000 + b"]}" * 2000,
    "dicts of one hash": b'{"list": [%s]}' % b",".join([b'{"dict": [%s]}' % COLLIDING] * 100),
}


@pytest.mark.parametrize("kind", SPOKEN)
def test_a_forged_reply_costs_its_cell_at_most(kind):
    """What the server says is the student's own word, whatever it is."""
    with submitted(f"{FORGED}\nsay({SPOKEN[kind]!r})", Limits(call=5.0)) as answers:
        began = time.process_time()
        answers.begin_check()
        assert answers.results.keys() == {"bad cell", "good cell"}
        assert time.process_time() - began < 5
        if kind == "no dict":
            assert "cannot be read" in answers.results["bad cell"].error[1]


def test_a_cell_that_prints_without_end_keeps_the_beginning():
    with Answers([("cell", "for _ in range(300):\n    print('x' * 20_000)")], Limits()) as answers:
        assert answers.results["cell"].error is None
        assert answers.results["cell"].printed == "x" * 20_000
