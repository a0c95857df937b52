"""A submission costs its own exercise only: time is kept by exercise, a death leaves the others alone."""

import base64
import io
import time

import numpy as np
import pytest
from PIL import Image

from margins_course.sandbox import pictures
from margins_course.sandbox.answers import Answers, Limits, StudentError
from margins_course.sandbox.box import Box
from margins_course.sandbox.clocks import Clocks, UsedUp
from tests.coursework.boxes import require_boxes

GOOD = "def good(x):\n    return 2 * x"
SLEEPER = "import time\ndef slow(x):\n    time.sleep(x)\n    return x"
EXERCISES = {"bad cell": "bad", "slow": "bad", "other": "bad", "good cell": "fine", "good": "fine"}


@pytest.fixture(autouse=True, scope="module")
def boxes():
    require_boxes()


@pytest.fixture
def asked(monkeypatch):
    """Every request that went to a box."""
    seen, ask = [], Box.ask

    def noted(box, request, seconds):
        seen.append(request)
        return ask(box, request, seconds)

    monkeypatch.setattr(Box, "ask", noted)
    return seen


def submitted(source, limits, **more):
    """A submission with one bad exercise and a good one behind it."""
    cells = [("bad cell", source), ("good cell", GOOD)]
    return Answers(cells, limits, exercises=EXERCISES, **more)


def test_a_function_that_uses_up_its_exercises_time_leaves_the_others():
    with submitted(SLEEPER, Limits(call=5.0, check=30.0, submission=60.0, exercise=1.5)) as answers:
        answers.begin_check()
        assert answers.function("slow")(1.0) == 1.0
        with pytest.raises(StudentError, match=r"no answer after 0\.\d+ seconds, the rest of 1.5 seconds"):
            answers.function("slow")(1.0)
        with pytest.raises(StudentError, match=r"the 1\.5 seconds for an exercise are used up"):
            answers.function("other")(1.0)
        answers.begin_check()
        assert answers.function("good")(4) == 8


def test_a_check_that_is_out_of_time_does_not_end_the_function():
    with submitted(SLEEPER, Limits(call=5.0, check=1.0, submission=60.0, exercise=20.0)) as answers:
        answers.begin_check()
        with pytest.raises(StudentError, match="the rest of 1 seconds for a check"):
            answers.function("slow")(3)
        answers.begin_check()
        answers.clocks.check_end = time.monotonic()
        with pytest.raises(StudentError, match="the 1 seconds for a check are used up"):
            answers.function("good")(4)
        answers.begin_check()
        assert answers.function("good")(4) == 8


def test_cells_of_no_exercise_share_one_account():
    cells = [(f"extra {n}", "import time\ntime.sleep(0.4)") for n in range(20)]
    cells += [("good cell", GOOD)]
    with Answers(cells, Limits(exercise=1.5), exercises=EXERCISES) as answers:
        assert answers.function("good")(1) == 2
        left_out = [result for result in answers.results.values() if result.error]
        assert 16 <= len(left_out) <= 18
        assert "seconds for all cells of no exercise" in left_out[-1].error[1]


def test_cells_that_end_the_box_again_and_again_pay_for_its_starts(asked):
    """A thousand of them would otherwise start as many boxes, and run the others' cells as often."""
    cells = [("good cell", "import time\ntime.sleep(0.2)\n" + GOOD)]
    cells += [(f"extra {n}", "import os\nos._exit(0)") for n in range(200)]
    with Answers(cells, Limits(exercise=2.0), exercises=EXERCISES) as answers:
        assert answers.clocks.used["fine"] < 0.5
        assert answers.function("good")(1) == 2
    assert len([request for request in asked if request.get("name") == "good cell"]) < 12


ON_THE_SECOND_RUN = """
import os, time
def slow(x):
    os._exit(0)
"""


def test_a_cell_that_hangs_only_when_it_runs_again_is_left_out(monkeypatch):
    """It cannot know that it runs again; here the test tells it."""
    runs, ask = [], Box.ask

    def telling(box, request, seconds):
        if request.get("name") == "bad cell":
            runs.append(request)
            if len(runs) == 2:
                request = request | {"run": "while True:\n    pass"}
        return ask(box, request, seconds)

    monkeypatch.setattr(Box, "ask", telling)
    with submitted(ON_THE_SECOND_RUN, Limits(call=1.0)) as answers:
        with pytest.raises(StudentError, match="ended its own"):
            answers.function("slow")(1)
        answers.begin_check()
        assert answers.function("good")(1) == 2
        with pytest.raises(StudentError, match="ended its own"):
            answers.function("slow")(1)
        with pytest.raises(NameError, match="'other' is not defined"):
            answers.function("other")(1)
        assert answers.results["bad cell"].error is None  # what it did the first time
        assert answers.clocks.used["fine"] < 0.5


LATER = "import os, threading\nthreading.Timer(0.5, os._exit, [0]).start()\ndef slow(x):\n    return x"


def test_a_thread_that_ends_the_box_between_two_checks_costs_none():
    with submitted(LATER, Limits()) as answers:
        assert answers.function("slow")(1) == 1
        answers.box.process.wait(10)
        answers.begin_check()
        assert answers.function("good")(1) == 2


def test_time_that_is_used_up_is_named_by_its_limit():
    clocks = Clocks(Limits(call=10, check=30, submission=100, exercise=5), {"f": "one", "g": "two"})
    assert clocks.for_call("f") == (5, "5 seconds for an exercise")
    clocks.spend("f", 5)
    with pytest.raises(UsedUp, match="the 5 seconds for an exercise are used up"):
        clocks.for_call("f")
    assert clocks.for_call("g") == (5, "5 seconds for an exercise")
    assert clocks.for_cell_again() == (10, "")


FIGURES = """
import matplotlib
import matplotlib.pyplot as plt
matplotlib.use("TkAgg")
plt.switch_backend("TkAgg")
plt.rcParams["backend"] = "TkAgg"
plt.plot([0, 1], [1, 0])
plt.title("$x^2$")
plt.show()
figure, axes = plt.subplots(figsize=(30, 3))
display(figure)
def good(x):
    plt.plot(x)
    return 2 * x
"""


def opened(picture):
    return np.array(Image.open(io.BytesIO(base64.b64decode(picture))))


def test_figures_are_drawn_and_cost_nothing():
    with Answers([("cell", FIGURES), ("next", "print(plt.get_fignums())")]) as answers:
        first, second = map(opened, answers.results["cell"].pictures)
        assert answers.results["cell"].error is None
        assert answers.results["next"].printed == "[]\n"
        assert answers.results["next"].pictures == ()
        assert answers.function("good")(2) == 4
    assert first.shape == (480, 640, 3)
    assert second.shape == (120, 1200, 3)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 20


NO_FIGURES = {
    "none is open": "import matplotlib.pyplot",
    "cannot be drawn": "import matplotlib.pyplot as plt\nplt.title('$\\\\frac{$')",
    "without height": "import matplotlib.pyplot as plt\nplt.figure(figsize=(1e5, 1e-5))",
    "pyplot is replaced": "import sys\nsys.modules['matplotlib._pylab_helpers'] = 3",
}


@pytest.mark.parametrize("kind", NO_FIGURES)
def test_a_figure_that_cannot_be_drawn_costs_nothing(kind):
    with Answers([("cell", f"{NO_FIGURES[kind]}\n{GOOD}")]) as answers:
        assert answers.results["cell"].error is None
        assert answers.results["cell"].pictures == ()
        assert answers.function("good")(2) == 4


ENDLESS = """
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
class Endless(Figure):
    def draw(self, *_):
        while True:
            pass
plt.figure(FigureClass=Endless)
"""


def test_a_figure_that_is_drawn_for_ever_costs_its_picture_only(monkeypatch):
    monkeypatch.setattr("margins_course.sandbox.answers.DRAWING", 0.5)
    with Answers([("cell", ENDLESS + GOOD)]) as answers:
        assert answers.results["cell"] == type(answers.results["cell"])()
        assert answers.function("good")(2) == 4


def test_the_number_of_pictures_is_bounded():
    many = "import matplotlib.pyplot as plt\nfor _ in range(9):\n    plt.figure(figsize=(1, 1))"
    with Answers([(f"cell {n}", many) for n in range(5)]) as answers:
        assert [len(result.pictures) for result in answers.results.values()] == [4, 4, 4, 0, 0]


@pytest.mark.parametrize(
    "value",
    [
        b"\x89PNG\r\n",
        [b"\x89PNG\r\n", "PNG", None, [1]],
        [np.zeros((2, 2, 4))],
        [np.zeros((2, 2, 3), np.uint8)],
        [np.zeros((2, 2), np.uint8)],
        [np.zeros((0, 2, 4), np.uint8)],
        [np.zeros((1201, 1, 4), np.uint8)],
        (np.zeros((2, 2, 4), np.uint8),),
    ],
)
def test_what_is_no_picture_becomes_none(value):
    assert pictures.pictures_in(value, 4) == ()


def test_a_picture_of_noise_is_made_smaller():
    noise = np.random.default_rng(0).integers(0, 256, (1200, 1200, 4), np.uint8)
    (made,) = pictures.pictures_in([noise], 4)
    assert len(made) < 4 / 3 * pictures.MOST_BYTES + 4
    assert opened(made).shape == (300, 300, 3)


NOTEBOOK = {
    "display": ("display(3, 'x')", "3\n'x'\n"),
    "rich text": ("from IPython.display import HTML, Markdown, display\ndisplay(Markdown('*a*'))", "*a*\n"),
    "the module": (
        "import IPython\nIPython.display.display(1)\nprint(IPython.get_ipython() is None)",
        "1\nFalse\n",
    ),
    "another kind": ("from IPython.display import Audio, clear_output\nclear_output(wait=True)\nAudio()", ""),
    "magic": (
        "get_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().run_cell_magic('time', '', '1')",
        "",
    ),
    "settings": (
        "get_ipython().config.InlineBackend.figure_format = 'svg'\nget_ipython().events.register('a', 1)",
        "",
    ),
    "system": ("get_ipython().system('ls')\nprint(get_ipython().getoutput('ls'))", "[]\n"),
    "lines": ("%matplotlib inline\n%%time\n!ls\nlen?\nprint(1)", "1\n"),
    "output": (
        "import sys\nprint(sys.stdout.isatty(), sys.stdout.writable() in (True, False))",
        "False True\n",
    ),
}


@pytest.mark.parametrize("kind", NOTEBOOK)
def test_code_that_was_written_in_a_notebook_runs(kind):
    code, printed = NOTEBOOK[kind]
    with Answers([("cell", code)]) as answers:
        assert answers.results["cell"].error is None
        assert answers.results["cell"].printed == printed


FORGED = """
import struct, sys
frame = sys._getframe()
while "answers" not in frame.f_locals:
    frame = frame.f_back
pipe = frame.f_locals["answers"]
def say(text, arrays=b""):
    pipe.write(struct.pack("!II", len(text), len(arrays)) + text + arrays)
    pipe.flush()
"""
SPOKEN = {
    "no dict": b'{"list": []}',
    "figures without number": b'{"dict": [["figures", {"list": [1]}], ["output", 3]]}',
    "too many figures": b'{"dict": [["figures", 1000000000000]]}',
    "infinite figures": b'{"dict": [["figures", Infinity]]}',
    "an error that is none": b'{"dict": [["error", {"dict": [[1, 2]]}]]}',
    "an error without parts": b'{"dict": [["error", {"list": []}]]}',
    "deep": b'{"list": [' * 2000 + b"]}" * 2000,
    "dicts of one hash": b'{"list": [%s]}'
    % b",".join(
        b'{"dict": [%s]}' % b",".join(b"[%d, 0]" % (number * (2**61 - 1)) for number in range(900))
        for _ in range(100)
    ),
}


@pytest.mark.parametrize("kind", SPOKEN)
def test_a_forged_reply_costs_its_cell_at_most(kind):
    """What the server says is the student's own word, whatever it is."""
    code = f"{FORGED}\nsay({SPOKEN[kind]!r})"
    with submitted(code, Limits(call=5.0)) as answers:
        began = time.process_time()
        answers.begin_check()
        assert answers.results.keys() == {"bad cell", "good cell"}
        assert time.process_time() - began < 5
    if kind != "no dict":
        return
    assert "cannot be read" in answers.results["bad cell"].error[1]
