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
    try:
        with rc_context(STYLE):
            figure, sentence = _figure_and_sentence(function(**values))
            frame = {"svg": to_svg(figure, name, sentence), "text": sentence}
            if handles:
                frame["places"] = {key: handle_place(figure, handle) for key, handle in handles.items()}
    except ExplorableError as reason:
        raise refuse(name, str(reason), values=values) from None
    except Exception as reason:
        problem = f"drawing it raised {type(reason).__name__}: {reason}"
        remedy = "the function must draw whatever the controls offer"
        raise refuse(name, problem, values=values, remedy=remedy) from reason
    forget(figure)
    return frame


def _figure_and_sentence(result):
    """`result`, if it is what a function of an explorable returns."""
    match result:
        case (Figure() as figure, str() as sentence) if sentence.strip():
            return figure, sentence
    parts = result if isinstance(result, tuple) else (result,)
    came = ", ".join(repr(part) if isinstance(part, str) else type(part).__name__ for part in parts)
    raise ExplorableError(
        f"expected (figure, sentence), but ({came}) came back; "
        "return a matplotlib figure and a sentence that says what is to be seen"
    )


def forget(figure):
    """Take `figure` from pyplot, else the notebook shows it a second time and memory fills."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)
