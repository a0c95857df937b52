"""How matplotlib draws the book's still figures: one set of settings, axes at fixed places.

They are written as SVG whose colours are CSS variables,
so a drawing uses only `PALETTE`, `INK`, `PAPER` and `MUTED` (tints by `alpha`): those follow the
reader's theme, any other colour stays as it is. (book: How to read and run this book, Figures that move)
"""

from cycler import cycler
from matplotlib import rc_context, rcParams
from matplotlib.figure import Figure

from margins.figures.palette import PALETTE

STYLE = {
    "figure.facecolor": "none",
    "figure.dpi": 72,  # one SVG unit a point
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.titlesize": 10,
    "axes.titley": 1.0,  # a fixed place: finding a free one draws all ticks twice
    "axes.labelsize": 10,
    "axes.xmargin": 0.02,
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "mathtext.fontset": "stix",
    "legend.frameon": False,
    "legend.fontsize": 9,
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


def use_style():
    """The book's settings for every later figure of this Python session.

    (book: How to read and run this book, Figures that move)

    >>> use_style()
    """
    rcParams.update(STYLE)


def new_axes(width=5.6, height=3.6, *, rows=1, columns=1, **axes_settings):
    """A figure of `width` x `height` inches and its axes (one, or an array) at fixed places.

    The margins are the same for every drawing of that size, so frames of one figure lie exactly
    over each other; `axes_settings` go to `Axes.set` (limits, labels, title, scale).
    The figure is not known to pyplot: nothing shows it twice, nothing keeps it alive
    (book: How to read and run this book, Figures that move).

    >>> figure, axes = new_axes(xlabel="steps", yscale="log")
    >>> _ = axes.plot([1, 2, 3], [1.0, 0.1, 0.01])
    >>> axes.get_xlabel(), axes.get_yscale()
    ('steps', 'log')
    """
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        left, right, bottom, top = 0.55 / width, 1 - 0.12 / width, 0.48 / height, 1 - 0.28 / height
        gaps = {"wspace": 0.7 * columns / (width - 0.67), "hspace": 0.8 * rows / (height - 0.76)}
        figure.subplots_adjust(left=left, right=right, bottom=bottom, top=top, **gaps)
        axes = figure.subplots(rows, columns)
        for one in figure.axes:
            one.set(**axes_settings)
            _fix_labels(one)
    return figure, axes


def _fix_labels(axes):
    """The axis labels at fixed places: searching for free ones draws all ticks twice, and they would jump."""
    box, (width, height) = axes.get_position(), axes.figure.get_size_inches()
    axes.xaxis.set_label_coords(0.5, -0.27 / (box.height * height))
    axes.yaxis.set_label_coords(-0.4 / (box.width * width), 0.5)
