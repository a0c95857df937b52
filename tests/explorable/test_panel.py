"""A panel: the marks of every method, and what is refused."""

import numpy as np
import pytest

from explorable.palette import BLUE, PAPER, VERMILION
from tests.explorable.samples import marks, new_panel, refused


def test_each_word_leaves_its_marks():
    drawing, panel = new_panel()
    panel.plot([0, 4], [0, 2], key="line", linestyle="--", tell=("x", "y"))
    panel.fill([0, 4, 4], [0, 0, 2], key="area")
    panel.scatter(
        [1, 2], [1, 1], keys=["a", "b"], marker=["o", "s"], color=[BLUE, VERMILION], tell=("x", "y")
    )
    panel.bar([1, 2], [1, 2], keys=["c", "d"], tell="height")
    panel.barh([0.5], [3], keys=["e"], links=["a"], tell="width")
    panel.hlines(1, key="level")
    panel.vlines(2, key="upright")
    panel.arrow((0, 0), (2, 1), key="arrow")
    panel.annotate("here", (1, 1), key="name a", link="a")
    panel.image([[1, -2], [0, 2]], key="heat", extent=(0, 4, 0, 2))
    x = np.linspace(-1, 1, 21)
    panel.contour(2 + 2 * x, 1 + x, x[None] ** 2 + x[:, None] ** 2, levels=[0.25], key="circle")
    found = marks(drawing)
    kinds = {key: mark["t"] for key, mark in found.items()}
    assert kinds == {
        "line": "line", "area": "area", "a": "dot", "b": "dot", "c": "bar", "d": "bar", "e": "bar",
        "level": "line", "upright": "line", "arrow": "arrow", "name a": "text", "heat": "image",
        "circle 0.25": "line",
    }  # fmt: skip
    left, top, right, bottom = panel.box
    assert found["line"]["n"] == [10 * left, 10 * bottom, 10 * right, 10 * top]
    assert found["line"]["told"] == [["x", 400, -2], ["y", 200, -2]]
    assert found["b"]["s"] == {"marker": "s", "fill": "c1"}
    assert found["c"]["n"][1::2] == [10 * bottom, 10 * (top + bottom) // 2]
    assert found["heat"]["n"][4:] == [100, -200, 0, 200]
    ring = np.reshape(found["circle 0.25"]["n"], (-1, 2)) / 10
    radius = np.hypot(
        (ring[:, 0] - (left + right) / 2) / (right - left), (ring[:, 1] - (top + bottom) / 2) / (bottom - top)
    )
    np.testing.assert_allclose(radius, 0.25, atol=0.003)


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda p: p.quiver([0], [0]), "has no 'quiver'; it knows plot, fill, scatter"),
        (lambda p: p.set_xlim(0, 1), "given to drawing.panel"),
        (lambda p: (p.plot([0], [0], key="a"), p.fill([0], [0], key="a")), "two marks have the key 'a'"),
        (lambda p: p.plot([0], [0], key=""), "expected a key, a text, but got ''"),
        (lambda p: p.plot([0, 1], [0], key="a"), "as many x as y, but got shapes"),
        (lambda p: p.scatter([0], [0], keys=["a", "b"]), "2 x and y, one a key, but got shapes"),
        (lambda p: p.plot([0], [0], key="a", linestyle="dashed"), "expected a linestyle of"),
        (lambda p: p.scatter([0], [0], keys=["a"], marker="*"), "expected a marker of"),
        (
            lambda p: p.scatter([0], [0], keys=["a"], color=[BLUE, PAPER]),
            "color: expected one or 1, but got 2",
        ),
        (
            lambda p: p.scatter([0, 1], [0, 1], keys=["a", "b"], links=["a"]),
            "links: expected one or 2, but got 1",
        ),
        (
            lambda p: p.bar([0, 1], [0, 1], keys=["a", "b"], links=["a"]),
            "links: expected one or 2, but got 1",
        ),
        (lambda p: p.plot([0], [0], key="a", tell="x"), "mark 'a': expected tell, two names, but got 'x'"),
        (lambda p: p.scatter([0], [0], keys=["a"], tell=("x",)), r"mark \['a'\].*names, but got \('x',\)"),
        (lambda p: p.scatter([0], [0], keys=["a"], tell=True), "expected tell, two names, but got True"),
        (lambda p: p.bar([0], [0], keys=["a"], tell=("x", "y")), r"tell, one name, but got \('x', 'y'\)"),
        (
            lambda p: p.scatter([0, 1], [0, 1], keys=["a", "b"], tell={"weight": [1]}),
            r"mark \['a', 'b'\]: expected tell 'weight', 2 numbers, one a key, but got \[1\]",
        ),
        (
            lambda p: p.barh([0], [0], keys=["a"], tell={"weight": 1}),
            "tell 'weight', 1 numbers, one a key, but got 1",
        ),
        (
            lambda p: p.plot([0], [0], key="a", link=["b", "c"]),
            r"mark 'a': expected link, the name of one mark, but got \['b', 'c'\]",
        ),
        (
            lambda p: p.arrow((0, 0), (1, 1), key="a", tell=("x", "y", "z")),
            "mark 'a': expected tell, two names",
        ),
        (
            lambda p: p.plot([0], [0], key="a", color="#123456"),
            "expected a colour of explorable.palette .*GREEN, PURPLE, ORANGE, SKY, INK, PAPER, MUTED",
        ),
        (lambda p: p.annotate(3.5, (0, 0), key="a"), "mark 'a': expected a text, but got 3.5"),
        (lambda p: p.annotate(" ", (0, 0), key="a"), "expected a text, but got ' '"),
        (lambda p: p.annotate("a", (0, 0), key="a", offset=(0, 0), ha="middle"), "ha left, center or right"),
        (lambda p: p.image([1, 2], key="a", extent=(0, 1, 0, 1)), "expected an array of rows and columns"),
    ],
)
def test_what_no_panel_knows_is_refused(draw, words):
    with refused(words):
        draw(new_panel()[1])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"xlim": (1, 1)}, "xlim: expected two finite numbers that differ, but"),
        ({"ylim": (0, 1), "yscale": "log"}, "ylim: expected numbers > 0 on a log axis"),
        ({"xscale": "symlog"}, "xscale: expected one of"),
        ({"xlim": 3}, "xlim: expected two finite numbers that differ, but got 3"),
        ({"ylim": (0, 1, 2)}, r"ylim: expected two finite numbers that differ, but got \(0, 1, 2\)"),
        ({"title": "a very long title", "ylabel": "a very long name for y"}, "do not fit beside each other"),
    ],
)
def test_axes_that_cannot_be_are_refused(settings, words):
    with refused(words):
        new_panel(**settings)
