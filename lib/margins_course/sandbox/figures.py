"""Matplotlib's figures, drawn in the sandbox as plain pixels: what comes out is an array of numbers.

Only if the student's code has imported matplotlib: it takes longer to import than all the rest.
(book: Teaching with this book, How marking works)
"""

import contextlib
import sys

DOTS, LARGEST = 100, 1200  # an inch; pixels, of width and of height
_shown = []  # figures that were given to `display` and that pyplot may not know


def show(figure: object) -> None:
    """A figure kept to be drawn when its cell has ended."""
    _shown.append(figure)


def is_figure(value: object) -> bool:
    """Whether a value is a figure of matplotlib's, which is asked without importing it."""
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


def number() -> int:
    """How many figures wait to be drawn."""
    return len(_all())


def drawn(most: int) -> list:
    """The pixels of the first figures that wait, at most so many; none waits afterwards."""
    pictures = []
    for figure in _all()[:most]:
        with contextlib.suppress(Exception):  # a plot that cannot be drawn costs nothing
            pictures.append(_pixels(figure))
    close_all()
    return pictures


def close_all() -> None:
    """No figure waits."""
    _shown.clear()
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    with contextlib.suppress(Exception):
        if helpers is not None:
            helpers.Gcf.destroy_all()


def _all():
    """All figures that wait, each once, those that pyplot knows in the order in which they were made."""
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    known = []
    with contextlib.suppress(Exception):
        if helpers is not None:
            known = [manager.canvas.figure for manager in helpers.Gcf.get_all_fig_managers()]
    return list({id(figure): figure for figure in [*known, *_shown]}.values())


def _pixels(figure):
    """Height x width x (red, green, blue, opacity), no side longer than `LARGEST`."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure.set_dpi(min(DOTS, LARGEST / max(figure.get_size_inches())))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[:LARGEST, :LARGEST]
