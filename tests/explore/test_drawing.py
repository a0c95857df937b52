"""Drawings as data: axes, ticks, letters, every word of the vocabulary, labels, and what is refused."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from margins.explore import Drawing, Panel
from margins.explore.axes import decades, new_axis, round_numbers
from margins.explore.errors import ExplorableError
from margins.explore.labels import crossed, overlapping
from margins.explore.lettering import runs
from margins.explore.picture import description
from margins.figures import BLUE, PAPER, VERMILION


def new_panel(**settings):
    drawing = Drawing()
    return drawing, drawing.panel("plane", **{"xlim": (0, 4), "ylim": (0, 2), **settings})


def marks(drawing):
    return {mark["k"]: mark for mark in drawing.frame("said")["marks"] if "axis" not in mark["s"]}


def test_the_drawing_side_needs_no_matplotlib():
    program = "import sys, margins.explore, margins.figures.planes; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("scale", "values", "share"), [("linear", (1, 4, 7), 0.5), ("log", (1, 10, 100), 0.5)]
)
def test_axes_carry_limits_to_ends_and_the_middle_to_the_middle(scale, values, share):
    axis = new_axis("x", (values[0], values[2]), (40, 340), scale)
    np.testing.assert_allclose(axis.pixels(values), [40, 40 + 300 * share, 340])


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_round_numbers_are_few_even_and_inside(low, length):
    high = low + length
    ticks = np.array(round_numbers(low, high))
    assert 2 <= len(ticks) <= 8
    slack = 1e-9 * max(abs(low), abs(high), 1)
    assert ticks.min() >= low - slack
    assert ticks.max() <= high + slack


def test_decades_thin_out():
    assert decades(1, 1e3) == [1, 10, 100, 1000]
    assert decades(1e-6, 1e6)[:2] == [1e-6, 1e-3]


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("plain", (("plain", ""),)),
        ("$x_1$", (("x", "mi"), ("1", "mb"))),
        (r"multipliers $\alpha$", (("multipliers ", ""), ("α", "mi"))),
        ("$f=-1$", (("f", "mi"), ("=", "m"), ("\N{MINUS SIGN}", "m"), ("1", "m"))),
        ("$10^{-3}$", (("10", "m"), ("\N{MINUS SIGN}3", "mp"))),
        (r"$\Gamma$", (("Γ", "m"),)),
    ],
)
def test_simple_mathematics_is_set(text, letters):
    joined, was = [], runs(text)
    for piece in was:  # neighbours of one look may come in one piece or in several
        joined.append(piece)
    assert "".join(t for t, _ in joined) == "".join(t for t, _ in letters)
    look = [look for t, look in joined for _ in t]
    assert look == [look for t, look in letters for _ in t]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"$\frac{1}{2}$", "sign .frac cannot be set"),
        ("$x_{a_b}$", "cannot be set"),
        ("5 $", "without its partner"),
    ],
)
def test_what_cannot_be_set_is_refused(text, words):
    with pytest.raises(ExplorableError, match=words):
        new_panel()[1].annotate(text, (1, 1), key="a")


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
        (lambda p: p.plot([0], [0], key=""), "expected a key, a text, but '' came"),
        (lambda p: p.plot([0, 1], [0], key="a"), "as many x as y, but shapes"),
        (lambda p: p.scatter([0], [0], keys=["a", "b"]), "2 x and y, one a key, but shapes"),
        (lambda p: p.plot([0], [0], key="a", color="red"), "expected a colour of margins.figures"),
        (lambda p: p.plot([0], [0], key="a", linestyle="dashed"), "expected a linestyle of"),
        (lambda p: p.scatter([0], [0], keys=["a"], marker="*"), "expected a marker of"),
        (
            lambda p: p.scatter([0], [0], keys=["a"], color=[BLUE, PAPER]),
            "color: expected one or 1, but 2 came",
        ),
        (
            lambda p: p.scatter([0, 1], [0, 1], keys=["a", "b"], links=["a"]),
            "links: expected one or 2, but 1",
        ),
        (
            lambda p: p.bar([0, 1], [0, 1], keys=["a", "b"], links=["a"]),
            "links: expected one or 2, but 1 came",
        ),
        (lambda p: p.plot([0], [0], key="a", tell="x"), "mark 'a': expected tell, two names, but 'x' came"),
        (lambda p: p.scatter([0], [0], keys=["a"], tell=("x",)), r"two names, but \('x',\) came"),
        (lambda p: p.scatter([0], [0], keys=["a"], tell="x"), r"mark \['a'\]: expected tell, two names"),
        (lambda p: p.scatter([0], [0], keys=["a"], tell=True), "expected tell, two names, but True came"),
        (lambda p: p.bar([0], [0], keys=["a"], tell=("x", "y")), r"tell, one name, but \('x', 'y'\) came"),
        (
            lambda p: p.scatter([0, 1], [0, 1], keys=["a", "b"], tell={"weight": [1]}),
            r"mark \['a', 'b'\]: expected tell 'weight', 2 numbers, one a key, but \[1\] came",
        ),
        (
            lambda p: p.barh([0], [0], keys=["a"], tell={"weight": 1}),
            "tell 'weight', 1 numbers, one a key, but 1",
        ),
        (
            lambda p: p.plot([0], [0], key="a", link=["b", "c"]),
            r"mark 'a': expected link, the name of one mark, but \['b', 'c'\] came",
        ),
        (
            lambda p: p.arrow((0, 0), (1, 1), key="a", tell=("x", "y", "z")),
            "mark 'a': expected tell, two names",
        ),
        (
            lambda p: p.plot([0], [0], key="a", color="#123456"),
            "GREEN, PURPLE, ORANGE, SKY, INK, PAPER, MUTED",
        ),
        (lambda p: p.annotate(3.5, (0, 0), key="a"), "mark 'a': expected a text, but 3.5 came"),
        (lambda p: p.annotate(" ", (0, 0), key="a"), "expected a text, but ' ' came"),
        (lambda p: p.annotate("a", (0, 0), key="a", offset=(0, 0), ha="middle"), "ha left, center or right"),
        (lambda p: p.image([1, 2], key="a", extent=(0, 1, 0, 1)), "expected an array of rows and columns"),
    ],
)
def test_what_no_panel_knows_is_refused(draw, words):
    with pytest.raises(ExplorableError, match=words):
        draw(new_panel()[1])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"xlim": (1, 1)}, "xlim: expected two finite numbers that differ, but"),
        ({"ylim": (0, 1), "yscale": "log"}, "ylim: expected numbers > 0 on a log axis"),
        ({"xscale": "symlog"}, "xscale: expected one of"),
        ({"xlim": 3}, "xlim: expected two finite numbers that differ, but 3 came"),
        ({"ylim": (0, 1, 2)}, r"ylim: expected two finite numbers that differ, but \(0, 1, 2\) came"),
        ({"title": "a very long title", "ylabel": "a very long name for y"}, "do not fit beside each other"),
    ],
)
def test_axes_that_cannot_be_are_refused(settings, words):
    with pytest.raises(ExplorableError, match=words):
        new_panel(**settings)


def test_what_only_the_whole_drawing_shows_is_refused_by_the_mark_s_name():
    drawing, panel = new_panel(xlim=(0.1, 1), xscale="log")
    panel.plot([0, 1], [1, 1], key="curve")
    with pytest.raises(ExplorableError, match="mark 'curve': a coordinate is not finite"):
        drawing.frame("said")
    drawing, panel = new_panel()
    panel.scatter([1], [1], keys=["a"], links=["curve a"])
    panel.plot([0, 1], [1, 1], key="curve a", link="a")
    with pytest.raises(
        ExplorableError, match="mark 'curve a': tied to 'a', which is tied to 'curve a' itself"
    ):
        drawing.frame("said")
    with pytest.raises(ExplorableError, match="the drawing is empty"):
        Drawing().frame("said")
    with pytest.raises(ExplorableError, match="two panels have the name 'plane'"):
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))


@given(st.lists(st.tuples(st.floats(0.1, 3.9), st.floats(0.1, 1.9)), min_size=1, max_size=6, unique=True))
def test_labels_stay_inside_and_off_their_own_dot(places):
    drawing, panel = new_panel()
    x, y = np.array(places).T
    panel.scatter(x, y, keys=[f"p {i}" for i in range(len(x))], size=40)
    for i, at in enumerate(places):
        panel.annotate(f"{i}", at, key=f"name {i}")
    found = marks(drawing)
    for i in range(len(x)):
        dot, name = (np.array(found[f"{what} {i}"]["n"]) / 10 for what in ("p", "name"))
        assert 0 <= name[0] <= 360
        assert 0 <= name[1] <= panel.height
        assert np.hypot(*(name[:2] - [0, 4.7] - dot[:2])) > dot[2]


def test_labels_keep_clear_of_lines_and_of_each_other():
    drawing, panel = new_panel()
    panel.plot([0, 4], [0, 2], key="line")
    panel.annotate("first", (2, 1), key="first")
    panel.annotate("second", (2, 1), key="second")
    found, boxes = marks(drawing), []
    for key in ("first", "second"):
        x, y = np.array(found[key]["n"]) / 10
        boxes.append([x - 14, y - 10, x + 14, y + 2])
    segment = np.array([found["line"]["n"]]) / 10
    assert not crossed(np.array(boxes), segment).any()
    assert not overlapping(np.array(boxes[:1]), np.array(boxes[1:])).any()


def test_labels_of_points_that_stay_make_way_for_marks_that_come():
    def label(*lines):
        drawing, panel = new_panel()
        panel.annotate("label", (2, 1), key="label")
        for k, (x, y) in enumerate(lines):
            panel.plot(x, y, key=f"line {k}")
        return marks(drawing)["label"]["n"]

    rising, level = ([2.1, 4], [1.05, 2]), ([0, 1.8], [1.08, 1.08])
    free, first, second = label(), label(rising), label(rising, level)
    assert first != free
    assert second != first
    assert label() == free


@given(st.lists(st.floats(-5, 5), min_size=4, max_size=4), st.lists(st.floats(-5, 5), min_size=4, max_size=4))
def test_a_box_is_crossed_where_some_point_of_the_segment_is_inside(box, segment):
    low, high = np.minimum(box[:2], box[2:]) - 0.1, np.maximum(box[:2], box[2:]) + 0.1
    along = np.linspace(0, 1, 400)[:, None]
    points = np.array(segment[:2]) * (1 - along) + np.array(segment[2:]) * along
    inside = ((points > low) & (points < high)).all(1).any()
    near = ((points > low - 0.1) & (points < high + 0.1)).all(1).any()
    meets = crossed(np.array([[*low, *high]]), np.array([segment]))[0]
    assert meets or not inside
    assert near or not meets


def test_a_panel_drawn_before_is_the_same_in_every_drawing():
    key = Panel("key", xlim=(0, 1), ylim=(0, 1), frame=False)
    key.scatter([0.5], [0.5], keys=["held"], tell=("x", "y"))
    key.annotate("held", (0.5, 0.5), key="word", link="held")
    frames = []
    for panels_before in (0, 1, 1):
        drawing = Drawing()
        for number in range(panels_before):
            drawing.panel(f"plane {number}", xlim=(0, 1), ylim=(0, 1))
        assert drawing.add(key) is key
        frames.append([mark for mark in drawing.frame("said")["marks"] if mark["k"] in ("held", "word")])
    assert [[mark["p"] for mark in frame] for frame in frames] == [[0, 0], [1, 1], [1, 1]]
    assert all(a is b for a, b in zip(*frames[1:], strict=True))
    with pytest.raises(ExplorableError, match="two panels have the name 'key'"):
        drawing.add(key)
    key.hlines(0.2, key="late")
    assert "late" in marks(drawing)


def test_description_names_marks_with_what_they_tell():
    drawing, panel = new_panel(xlabel="$x_1$", ylabel="height")
    panel.plot([0, 4], [0, 2], key="boundary")
    panel.scatter([1, 2], [0.5, -1e-5], keys=["point 0", "point 1"], tell=("x", "y"))
    said = description(drawing.frame("said"), 0)
    minus = "\N{MINUS SIGN}"
    assert said == (
        f"plane, x1 across, height up. boundary; point 0: x 1, y 0.5; point 1: x 2, y {minus}1e{minus}5."
    )
