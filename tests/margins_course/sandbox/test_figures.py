"""Figures drawn in the sandbox come out as pictures, and cost nothing where they cannot."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from margins_course.sandbox import figures
from margins_course.sandbox.answers import Answers
from tests.margins_course.sandbox.test_answers import GOOD

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
    monkeypatch.setattr("margins_course.sandbox.answers.DRAWING_SECONDS", 0.5)
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
    assert figures.pictures_in(value, 4) == ()


def test_a_picture_of_noise_is_made_smaller():
    noise = np.random.default_rng(0).integers(0, 256, (1200, 1200, 4), np.uint8)
    (made,) = figures.pictures_in([noise], 4)
    assert len(made) < 4 / 3 * figures.MOST_PNG_BYTES + 4
    assert opened(made).shape == (300, 300, 3)
