"""How matplotlib draws static figures: one set of settings, axes at fixed places.

A drawing uses only `PALETTE`, `INK`, `PAPER` and `MUTED` (tints by `alpha`): in its SVG they are variables
and follow the reader's theme. (book: How to read and run this book, Figures that move)
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from explorable.palette import PALETTE

if TYPE_CHECKING:  # matplotlib takes long to load, and a built page that runs Python has none
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["STYLE", "WIDTH", "in_style", "new_axes"]
Draw = TypeVar("Draw", bound=Callable[..., Any])
WIDTH = 5.0  # inches: 360 units, of which a phone's column has 350 and the narrowest screen's 280
STYLE = {
    "figure.facecolor": "none",
    "figure.dpi": 72,  # one SVG unit a point
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.prop_cycle": f"cycler(color={list(PALETTE)})",
    "axes.titlesize": "medium",
    "axes.titley": 1.0,  # a fixed place: finding a free one draws all ticks twice
    "axes.xmargin": 0.04,
    "font.family": ["DejaVu Sans"],
    "font.size": 13,  # on a phone 12.6 pixels, on the narrowest screen 10.1
    "mathtext.fontset": "stix",
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "lines.solid_capstyle": "round",
    "scatter.edgecolors": "none",
    "xtick.major.width": 0.8,
    "ytick.major.width": 0.8,
    "image.cmap": "cividis",
    "path.simplify": True,
    "path.simplify_threshold": 0.2,
    "svg.fonttype": "none",
}


def in_style(draw: Draw) -> Draw:
    """The function `draw` with the book's settings: matplotlib sizes texts and lines when they are made.

    (book: How to read and run this book, Figures that move)

    >>> @in_style
    ... def named_figure():
    ...     figure, axes = new_axes()
    ...     axes.text(0.5, 0.5, "here")
    ...     return figure
    >>> named_figure().axes[0].texts[0].get_fontsize()
    13.0
    """

    @functools.wraps(draw)
    def styled(*args: Any, **kwargs: Any) -> Any:
        from matplotlib import rc_context

        with rc_context(STYLE):  # type: ignore[arg-type]
            return draw(*args, **kwargs)

    return cast(Draw, styled)


def new_axes(height: float = 3.2, *, head: float = 0.3, **axes_settings: Any) -> "tuple[Figure, Axes]":
    """A figure as wide as a moving one's panel (5 inches, 360 pixels), `height` inches tall, and its axes.

    On a phone it fills the column, and its letters stay legible: what has no room beside the axes goes into
    the `head` inches above them. The other margins are the same for all drawings; `axes_settings` go to
    `Axes.set` (limits, labels, title, scale). The figure is not known to pyplot: nothing shows it twice,
    nothing keeps it alive (book: How to read and run this book, Figures that move).

    >>> figure, axes = new_axes(xlabel="steps", yscale="log")
    >>> _ = axes.plot([1, 2, 3], [1.0, 0.1, 0.01])
    >>> axes.get_xlabel(), axes.get_yscale()
    ('steps', 'log')
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=(WIDTH, height))
        left, right, bottom, top = 0.8 / WIDTH, 1 - 0.2 / WIDTH, 0.64 / height, 1 - head / height
        figure.subplots_adjust(left=left, right=right, bottom=bottom, top=top)
        axes = figure.subplots()
        axes.set(**axes_settings)
        _fix_labels(axes)
    return figure, axes


def _fix_labels(axes: "Axes") -> None:
    """The axis labels at fixed places: searching for free ones draws all ticks twice."""
    figure: Any = axes.figure
    box, (width, height) = axes.get_position(), figure.get_size_inches()
    axes.xaxis.set_label_coords(0.5, -0.35 / (box.height * height))
    axes.yaxis.set_label_coords(-0.57 / (box.width * width), 0.5)
