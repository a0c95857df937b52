"""Figures that several tests use, and how they are refused."""

import pytest

from explorable import Drawing, explore, prompt
from explorable.controls import expand
from explorable.errors import ExplorableError


def refused(words):
    """A block that ends with a refusal in these words, a pattern."""
    return pytest.raises(ExplorableError, match=words)


def line(**values):
    """A line."""
    drawing = Drawing()
    panel = drawing.panel("plane", xlim=(0, 4), ylim=(0, 4))
    panel.plot([0, 1], [0, sum(v for v in values.values() if isinstance(v, int | float))], key="line")
    return drawing, f"a line at {values}"


def line_over(**controls):
    """An explorable over exactly these controls."""
    names = expand(controls)[0]
    scope = {"line": line}
    exec(f"def a_line({', '.join(names)}): return line(**locals())", scope)
    prompts = [prompt("Move it.", "It moves.")]
    return explore(caption="A *line*", prompts=prompts, **controls)(scope["a_line"])


def new_panel(**settings):
    drawing = Drawing()
    return drawing, drawing.panel("plane", **{"xlim": (0, 4), "ylim": (0, 2), **settings})


def marks(drawing):
    return {mark["k"]: mark for mark in drawing.frame("said")["marks"] if "axis" not in mark["s"]}
