"""Figure of the error of smoothing over the number of keys.

(book: Attention as Nadaraya-Watson regression)
"""

from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable.palette import BLUE, MUTED
from explorable.style import in_style, new_axes


@in_style
def rates_figure(counts: NDArray, errors: NDArray, bars: NDArray, limit: NDArray) -> Figure:
    """Mean squared errors over the number of keys, with two standard errors, beside the predicted line."""
    figure, ax = new_axes(xlabel="keys m", ylabel="mean squared error", xscale="log", yscale="log")
    ax.plot(counts, limit, color=MUTED, linestyle="--")
    ax.errorbar(counts, errors, yerr=2 * bars, color=BLUE, marker="o", linestyle="none", capsize=3)
    ax.set_xticks(counts, [str(count) for count in counts])
    ax.minorticks_off()
    ax.annotate("predicted", (counts[2], limit[2]), (6, 10), textcoords="offset points", color=MUTED)
    return figure
