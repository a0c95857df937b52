"""From Python to the reader: what is packed is read in node, drawn as Python draws it, and interpolated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorable import Drawing, markup
from explorable.palette import MARKERS
from explorable.picture import panel_to_svg
from explorable.table import pack_frames, split_numbers
from tests.explorable.script_in_node import read, shown


def drawn(a, b):
    """A frame with marks of every kind, some of which come and go, change their look, or cross over."""
    drawing = Drawing()
    panel = drawing.panel("plane", xlim=(-3, 3), ylim=(-2, 2), xlabel="$x_1$")
    panel.fill([-3, 3, a], [-2, -2, b], key="area")
    panel.plot([-3, a, 3], [b, 0, -b], key="line", linestyle="--", alpha=0.5)
    shapes = [*MARKERS, "x", "+", "|"]
    x, y, keys = np.linspace(-2.5, 2.5, 9) + 0.1 * a, np.full(9, 0.3 * b), [f"dot {i}" for i in range(9)]
    panel.scatter(x, y, keys=keys, marker=shapes, size=50, tell=("x", "y"))
    panel.arrow((0, 0), (a, b), key="arrow")
    panel.image([[a, -b], [0, 1]], key="heat", extent=(-3, -2, 1, 2), vmax=3)
    if a > 0:
        panel.scatter([a], [b], keys=["comes"], links=["line"], tell={"size": [1e-7 * (a + 2)]})
    panel.annotate("$\\alpha^{2}$ & <b>", (a, b), key="name")
    side = drawing.panel("bars", xlim=(1e-3, 10), ylim=(2, -1), xscale="log", yticks={0: "0", 1: "1"})
    side.barh(
        [0, 1],
        [abs(a) + 0.01, abs(b) + 0.01],
        keys=["first", "second"],
        links=["line", "dot 1"],
        tell="length",
    )
    return drawing.frame(f"at {a:.2f}, {b:.3g} and {int(a > 0)} more; 007")


GRID = np.linspace(-2, 2, 9), np.linspace(-1.5, 1.5, 5)
FRAMES = [drawn(a, b) for a in GRID[0] for b in GRID[1]]


def comparable(mark):
    """A mark without what the page need not know."""
    return {name: mark.get(name) for name in ("p", "k", "t", "l", "n", "told")}


def test_what_is_packed_is_what_is_read_and_drawn():
    positions = [[i, j] for i in range(9) for j in range(5)]
    for frame, found in zip(FRAMES, read(pack_frames(FRAMES, [9, 5]), positions), strict=True):
        assert found["text"] == frame["text"]
        assert [comparable(m) for m in found["marks"]] == [comparable(m) for m in frame["marks"]]
        assert found["svg"] == [panel_to_svg(frame, p, "uid") for p in (0, 1)]


def test_between_positions_marks_of_one_look_are_interpolated_and_words_are_not():
    table = pack_frames(FRAMES, [9, 5])
    (moving,) = read(table, [[2.25, 1.5]], rest=False)
    (resting,) = read(table, [[2.25, 1.5]], rest=True)
    corners = [FRAMES[n] for n in (2 * 5 + 1, 3 * 5 + 1, 2 * 5 + 2, 3 * 5 + 2)]
    shares = np.array([0.75, 0.25, 0.75, 0.25]) * 0.5
    of = {mark["k"]: mark for mark in moving["marks"]}
    for key in ("line", "arrow", "dot 3", "first"):
        exact = [next(m for m in frame["marks"] if m["k"] == key)["n"] for frame in corners]
        np.testing.assert_allclose(of[key]["n"], shares @ np.array(exact), atol=1e-9)
    assert moving["text"] in [frame["text"] for frame in corners]
    around = read(table, [[2, 1], [3, 1], [2, 2], [3, 2]])
    assert moving["rows"] in [found["rows"] for found in around]
    assert resting["text"] == FRAMES[2 * 5 + 2]["text"]


def test_a_mark_that_comes_is_there_on_its_side_only():
    table = pack_frames(FRAMES, [9, 5])
    before, after = read(table, [[4.4, 2], [4.6, 2]], rest=False)
    assert "comes" not in [mark["k"] for mark in before["marks"]]
    assert "comes" in [mark["k"] for mark in after["marks"]]


def test_equal_columns_are_stored_once_and_long_numbers_read_as_they_were():
    def pair(a):
        drawing = Drawing()
        drawing.panel("p", xlim=(0, 1), ylim=(0, 1)).scatter([a, a], [0.2, 0.8], keys=["low", "high"])
        return drawing.frame("two")

    table = pack_frames([pair(a) for a in (0.1, 0.4, 0.7)], [3])
    assert len(table["columns"]) == 1
    drawing = Drawing()
    drawing.panel("p", xlim=(0, 1), ylim=(0, 1)).scatter([0.5], [0.5], keys=["dot"])
    frames = [drawing.frame(f"{steps} steps") for steps in (0, 40_000)]
    assert [frame["text"] for frame in read(pack_frames(frames, [2]), [[0], [1]])] == [
        "0 steps",
        "40000 steps",
    ]


@settings(max_examples=60)
@given(st.text(alphabet="ab .,-0123456789e", max_size=40))
def test_sentences_come_apart_and_together(sentence):
    pieces, decimals, numbers = split_numbers(sentence)
    again = pieces[0] + "".join(
        f"{n / 10**d:.{d}f}{piece}" for n, d, piece in zip(numbers, decimals, pieces[1:], strict=True)
    )
    assert again == sentence


@pytest.mark.parametrize("count", [1, 2])
def test_a_single_position_is_a_table_too(count):
    frame = drawn(1.0, 0.5)
    (found,) = read(pack_frames([frame] * count, [count]), [[0]])
    assert found["text"] == frame["text"]


def test_values_are_written_alike_before_and_after_the_reader_moves():
    """Three digits of what is small, all that stand before the point of what is large."""
    values = [0.12345, -0.5, 31.62, 999.6, 1024, 4096.0, 65536.4, 1000000.0, -1024.0, "layer-2", -1]
    minus = "\N{MINUS SIGN}"
    expected = ["0.123", f"{minus}0.5", "31.6", "1000", "1024", "4096", "65536", "1000000", f"{minus}1024"]
    expected += ["layer-2", f"{minus}1"]
    assert [markup.value_text(value) for value in values] == expected
    assert shown(values) == expected
