"""One frame: the marks and the sentence that belong to one set of parameter values."""

import traceback

from margins.explore.drawing import Drawing, axis_lines
from margins.explore.errors import ExplorableError, refuse

SLIPS = (TypeError, NameError, AttributeError)  # of the pen, which no position of the controls explains


def draw(function, name, handles, values):
    """The frame {"panels", "marks", "text"} of `function(**values)`, with "places" if there are handles."""
    try:
        drawing, sentence = _drawing_and_sentence(function(**values))
        frame = drawing.frame(sentence)
        if handles:
            frame["places"] = {key: axis_lines(drawing, handle) for key, handle in handles.items()}
    except ExplorableError as reason:
        raise refuse(name, str(reason), values=values, remedy=line_of(function, reason)) from None
    except Exception as reason:
        problem = f"drawing it raised {type(reason).__name__}: {reason}"
        advice = [] if isinstance(reason, SLIPS) else ["the function must draw whatever the controls offer"]
        remedy = "; ".join(filter(None, [*advice, line_of(function, reason)]))
        raise refuse(name, problem, values=values, remedy=remedy) from reason
    return frame


def line_of(function, reason):
    """The last line of the function's own file or cell on the way to `reason`, or nothing."""
    code = getattr(function, "__code__", None)
    way = traceback.extract_tb(reason.__traceback__)
    lines = [step.line for step in way if code and step.filename == code.co_filename]
    return f"the line: {lines[-1]}" if lines and lines[-1] else ""


def _drawing_and_sentence(result):
    """`result`, if it is what a function of an explorable returns."""
    match result:
        case (Drawing() as drawing, str() as sentence) if sentence.strip():
            return drawing, sentence
    parts = result if isinstance(result, tuple) else (result,)
    came = ", ".join(repr(part) if isinstance(part, str) else type(part).__name__ for part in parts)
    raise ExplorableError(
        f"expected (drawing, sentence), but ({came}) came back; "
        "return a margins.explore.Drawing and a sentence that says what is to be seen"
    )
