"""A drawing as data: panels of marks, and the frame that a figure's function draws at one position.

The same JSON goes into the table of a built page, to the browser from a live kernel, and into the static
picture. (book: How to read and run this book, Figures that move)
"""

import functools
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explorable.conditions import Facts
from explorable.controls import Handle
from explorable.errors import ExplorableError, figure_error
from explorable.marks import Mark, marks_as_json
from explorable.panel import Panel
from explorable.text import with_readable_numbers

Frame = dict[str, Any]
MISTAKES_OF_CODE = (TypeError, NameError, AttributeError)  # not due to the position of the controls
DRAW_EVERYWHERE = "the function must draw whatever the controls offer"


class Drawing:
    """What a moving figure shows at one position: panels, side by side where there is room.

    (book: How to read and run this book, Figures that move)

    >>> drawing = Drawing()
    >>> plane = drawing.panel("plane", xlim=(-2, 2), ylim=(-1, 1), xlabel="$x_1$", ylabel="$x_2$")
    >>> plane.scatter([0.5, -1], [0.2, 0.4], keys=["point 1", "point 2"])
    >>> drawing.frame("Two points.")["marks"][-1]["k"]
    'point 2'
    """

    def __init__(self) -> None:
        self.panels: list[Panel] = []

    def panel(self, name: str, *, xlim: Any, ylim: Any, **settings: Any) -> Panel:
        """A new panel, 360 pixels wide; all settings of its axes are given here, before the first mark."""
        return self.add(Panel(name, xlim=xlim, ylim=ylim, **settings))

    def add(self, panel: Panel) -> Panel:
        """A panel that was drawn before: what no control moves is drawn once, for all positions."""
        if any(panel.name == other.name for other in self.panels):
            raise ExplorableError(f"two panels have the name {panel.name!r}; give one another name")
        self.panels.append(panel)
        return panel

    def frame(self, sentence: str) -> Frame:
        """The drawing and its sentence as plain data: {"panels", "marks" from back to front, "text"}."""
        if not self.panels:
            raise ExplorableError(
                "the drawing is empty: give it a panel, drawing.panel(name, xlim=..., ylim=...)"
            )
        check_links([mark for panel in self.panels for mark in panel.marks()])
        text, marks = with_readable_numbers(sentence), list[dict[str, Any]]()
        for number, panel in enumerate(self.panels):
            marks += axes_as_json(number, panel.axes)
            marks += panel.marks_as_json(number)
        return {"panels": [panel.metadata() for panel in self.panels], "marks": marks, "text": text}


@functools.lru_cache(256)
def axes_as_json(panel: int, axes: tuple[Mark, ...]) -> list[dict[str, Any]]:
    """The axes of a panel as JSON: the same objects in every frame."""
    return marks_as_json(panel, axes)


def check_links(marks: Sequence[Mark]) -> None:
    """Refuses chains of links: a mark that others link to is highlighted under its own key."""
    own = {mark.key for mark in marks if mark.link in ("", mark.key)}
    linked = {mark.key: mark.link for mark in marks if mark.key not in own}
    for mark in marks:
        if other := linked.get(mark.link):
            raise ExplorableError(
                f"mark {mark.key!r}: tied to {mark.link!r}, which is tied to {other!r} itself; "
                "one of them needs no link"
            )


# -- the frame of a function -------------------------------------------------------------------------


def draw_frame(
    function: Callable[..., Any], name: str, handles: Mapping[str, Handle], values: Mapping[str, Any]
) -> tuple[Frame, Facts]:
    """The frame {"panels", "marks", "text"} of `function(**values)`, and the facts that it returns beside.

    The frame has "places" if there are handles.
    """
    try:
        drawing, sentence, facts = _checked_result(function(**values))
        _check_facts(facts, values)
        frame = drawing.frame(sentence)
        if handles:
            frame["places"] = {key: handle_axes(drawing, handle) for key, handle in handles.items()}
    except ExplorableError as error:
        raise figure_error(name, str(error), values=values, remedy=line_of(function, error)) from None
    except Exception as error:
        problem = f"drawing it raised {type(error).__name__}: {error}"
        general = "" if isinstance(error, MISTAKES_OF_CODE) else DRAW_EVERYWHERE
        remedy = "; ".join(filter(None, [general, line_of(function, error)]))
        raise figure_error(name, problem, values=values, remedy=remedy) from error
    return frame, Facts(values, facts)


def line_of(function: Callable[..., Any], error: BaseException) -> str:
    """The last line of the function's own file or cell in the traceback of `error`, or nothing."""
    code = getattr(function, "__code__", None)
    steps = traceback.extract_tb(error.__traceback__)
    lines = [step.line for step in steps if code and step.filename == code.co_filename]
    return f"the line: {lines[-1]}" if lines and lines[-1] else ""


def _checked_result(result: Any) -> tuple[Drawing, str, Mapping[str, Any]]:
    """`result`, if it is what a figure's function has to return."""
    match result:
        case (Drawing() as drawing, str() as sentence) if sentence.strip():
            return drawing, sentence, {}
        case (Drawing() as drawing, str() as sentence, dict() as facts) if sentence.strip():
            return drawing, sentence, facts
    parts = result if isinstance(result, tuple) else (result,)
    got = ", ".join(repr(part) if isinstance(part, str) else type(part).__name__ for part in parts)
    raise ExplorableError(
        f"expected (drawing, sentence), but got ({got}); "
        "return an explorable.Drawing and a sentence that says what is to be seen, "
        "and as a third item a dict of facts if conditions ask for them"
    )


def _check_facts(facts: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Refuses facts that a condition could not ask for by name."""
    for name in facts:
        if not (isinstance(name, str) and name.isidentifier() and not name.startswith("_")):
            raise ExplorableError(f"facts: expected names such as 'margin', but got {name!r}")
        if name in values:
            raise ExplorableError(f"facts: {name!r} is a control already; give the fact another name")


def handle_axes(drawing: Drawing, handle: Handle) -> dict[str, Any]:
    """The panel of `handle` with its axes as [a, b, log]: v lies at a + b v, or a + b log10(v)."""
    if handle.panel >= len(drawing.panels):
        raise ExplorableError(
            f"handle: panel {handle.panel} asked for, but the drawing has {len(drawing.panels)}"
        )
    panel = drawing.panels[handle.panel]
    x, y = ([round(float(v), 4) for v in axis.line] + [axis.log] for axis in (panel.x, panel.y))
    return {"panel": handle.panel, "x": x, "y": y}
