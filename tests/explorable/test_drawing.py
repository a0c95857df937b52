"""A drawing and the frame of a function: what they hold, what they refuse, and what their errors say."""

import subprocess
import sys

import pytest

from explorable import Drawing, Panel, choice, explore, slider
from explorable.errors import ExplorableError
from tests.explorable.samples import marks, new_panel, refused


def test_the_drawing_side_needs_no_matplotlib():
    program = "import sys, explorable, margins_book.drawing.planes; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_what_only_the_whole_drawing_shows_is_refused_by_the_mark_s_name():
    drawing, panel = new_panel(xlim=(0.1, 1), xscale="log")
    panel.plot([0, 1], [1, 1], key="curve")
    with refused("mark 'curve': a coordinate is not finite"):
        drawing.frame("said")
    drawing, panel = new_panel()
    panel.scatter([1], [1], keys=["a"], links=["curve a"])
    panel.plot([0, 1], [1, 1], key="curve a", link="a")
    with refused("mark 'curve a': tied to 'a', which is tied to 'curve a' itself"):
        drawing.frame("said")
    with refused("the drawing is empty"):
        Drawing().frame("said")
    with refused("two panels have the name 'plane'"):
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))


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
    with refused("two panels have the name 'key'"):
        drawing.add(key)
    key.hlines(0.2, key="late")
    assert "late" in marks(drawing)


def test_a_function_that_raises_is_named_with_its_values():
    def plot(a, kind):
        raise ZeroDivisionError("by nought")

    message = "'plot' at a=0.0, kind='u': drawing it raised ZeroDivisionError: by nought; the function must"
    with refused(message) as caught:
        explore(a=slider(0, 1, steps=3, value=0), kind=choice("u"))(plot).bundle()
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    shown = "\n".join(caught.value._render_traceback_())
    assert 'raise ZeroDivisionError("by nought")' in shown
    assert "lib/explorable/drawing.py" not in shown
    assert str(caught.value).endswith('; the line: raise ZeroDivisionError("by nought")')
    assert ExplorableError("wrong")._render_traceback_() == ["ExplorableError: wrong"]


def test_a_slip_of_the_pen_is_named_by_its_line_and_not_put_down_to_the_controls():
    def plot(a):
        drawing = Drawing()
        panel = drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))
        panel.plot([0, 1], [0, a])
        return drawing, "a line"

    with refused("missing 1 required keyword-only argument: 'key'") as caught:
        explore(a=slider(0, 1))(plot).bundle()
    assert str(caught.value).endswith("; the line: panel.plot([0, 1], [0, a])")
    assert "whatever the controls offer" not in str(caught.value)


def test_a_drawing_that_cannot_be_is_named_too():
    def plot(a):
        drawing = Drawing()
        drawing.panel("plane", xlim=(0, 1), ylim=(0, 1), title=r"$\frac{1}$")
        return drawing, "a title"

    with refused(r"'plot' at a=0\.5: the formula sign .frac cannot be set") as caught:
        explore(a=slider(0, 1))(plot).bundle()
    assert "; the line: drawing.panel(" in str(caught.value)


@pytest.mark.parametrize(
    ("result", "got"),
    [(None, "NoneType"), ("text", "'text'"), (("a", "b"), "'a', 'b'"), ((Drawing(), ""), "Drawing, ''")],
)
def test_what_is_no_figure_and_sentence_is_refused(result, got):
    with refused(rf"expected \(drawing, sentence\), but got \({got}\); return"):
        explore(a=slider(0, 1))(lambda a: result).bundle()
