"""Figures drawn in the sandbox come out as pictures, and cost nothing where they cannot."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from margins_course.sandbox import figures
from margins_course.sandbox.answers import Answers, CellResult
from tests.margins_course.sandbox.test_answers import GOOD

pytestmark = pytest.mark.usefixtures("boxes")

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


ENDLESS = """
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
class Endless(Figure):
    def draw(self, *_):
        while True:
            pass
plt.figure(FigureClass=Endless)
"""
NO_FIGURES = {
    "none is open": "import matplotlib.pyplot",
    "cannot be drawn": "import matplotlib.pyplot as plt\nplt.title('$\\\\frac{$')",
    "without height": "import matplotlib.pyplot as plt\nplt.figure(figsize=(1e5, 1e-5))",
    "is drawn for ever": ENDLESS,
    "pyplot is replaced": "import sys\nsys.modules['matplotlib._pylab_helpers'] = 3",
}


def test_a_figure_that_cannot_be_drawn_costs_nothing(monkeypatch):
    monkeypatch.setattr("margins_course.sandbox.answers.DRAWING_SECONDS", 0.5)
    with Answers([(kind, f"{code}\n{GOOD}") for kind, code in NO_FIGURES.items()]) as answers:
        for kind in NO_FIGURES:
            assert answers.results[kind] == CellResult(), kind
        assert answers.function("good")(2) == 4
        assert sum(answers.time_budget.used.values()) < 9  # a call would have had ten seconds


def test_the_number_of_pictures_is_bounded():
    many = "import matplotlib.pyplot as plt\nfor _ in range(9):\n    plt.figure(figsize=(1, 1))"
    with Answers([(f"cell {n}", many) for n in range(5)]) as answers:
        assert [len(result.pictures) for result in answers.results.values()] == [4, 4, 4, 0, 0]


def test_what_is_no_picture_becomes_none():
    shapes = (2, 2, 3), (2, 2), (0, 2, 4), (1201, 1, 4)
    wrong = [np.zeros((2, 2, 4)), *(np.zeros(shape, np.uint8) for shape in shapes), b"PNG", "PNG", None, [1]]
    for value in (b"\x89PNG\r\n", (np.zeros((2, 2, 4), np.uint8),), *([one] for one in wrong)):
        assert figures.pictures_in(value, 4) == (), value


def test_a_picture_of_noise_is_made_smaller():
    noise = np.random.default_rng(0).integers(0, 256, (1200, 1200, 4), np.uint8)
    (made,) = figures.pictures_in([noise], 4)
    assert len(made) < 4 / 3 * figures.MOST_PNG_BYTES + 4
    assert opened(made).shape == (300, 300, 3)
