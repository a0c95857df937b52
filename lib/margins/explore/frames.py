"""One frame: the drawing and the sentence that belong to one set of parameter values."""

import sys

from matplotlib import rc_context
from matplotlib.figure import Figure

from margins.explore.errors import ExplorableError, refuse
from margins.explore.places import handle_place
from margins.explore.svg import to_svg
from margins.figures import STYLE


def draw(function, name, handles, values):
    """The frame {"svg", "text"} and, where there are handles, "places" of `function(**values)`."""
    with rc_context(STYLE):
        figure, sentence = _called(function, name, values)
        frame = {"svg": to_svg(figure, name, sentence), "text": sentence}
        try:
            if handles:
                frame["places"] = {key: handle_place(figure, handle) for key, handle in handles.items()}
        except ExplorableError as reason:
            raise refuse(name, str(reason), values=values) from None
    forget(figure)
    return frame


def _called(function, name, values):
    """What `function` returned, if it is a figure and a sentence."""
    try:
        result = function(**values)
    except Exception as reason:
        problem = f"the function raised {type(reason).__name__}: {reason}"
        raise refuse(name, problem, values=values) from reason
    match result:
        case (Figure() as figure, str() as sentence) if sentence.strip():
            return figure, sentence
    parts = result if isinstance(result, tuple) else (result,)
    came = ", ".join(repr(part) if isinstance(part, str) else type(part).__name__ for part in parts)
    remedy = "return a matplotlib figure and a sentence that says what is to be seen"
    raise refuse(name, f"expected (figure, sentence), but ({came}) came back", values=values, remedy=remedy)


def forget(figure):
    """Take `figure` from pyplot, else the notebook shows it a second time and memory fills."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)
