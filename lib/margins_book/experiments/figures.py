"""Still figures of the experiments, drawn from their recorded results beside published values."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from explorable.palette import MARKERS, PALETTE
from explorable.style import in_style, new_axes
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.estimates import Estimate
from margins_book.experiments.published import Published, published
from margins_book.experiments.recorded import recorded
from margins_book.experiments.report import label

PLOT, ROW = 3.1, 0.24  # inches: of a figure below its legend, and of a row of that
LONGEST_OF_TWO_COLUMNS = 19  # letters of a name beside which the legend has room for a second


@in_style
def estimate_lines(
    name: str, x: str, series: Sequence[tuple[str, dict[str, int | str], str]], **settings: Any
) -> Figure:
    """Lines of estimates over the setting `x`, one for each of the series: a name, settings, a quantity.

    Bars are 95 % intervals, rings published values; `settings` go to the axes.
    """
    estimates, known = EXPERIMENTS[name].estimates(recorded(name)), published(name)
    figure, axes = _axes_below_legend([title for title, *_ in series], **settings)
    for k, (title, wanted, quantity) in enumerate(series):
        points = [
            (float(setting[x]), values[quantity], known.get((label(setting), quantity)))
            for setting, values in estimates
            if quantity in values and wanted.items() <= setting.items()
        ]
        _line(axes, sorted(points, key=lambda point: point[0]), k, title)
    places = sorted({float(setting[x]) for setting, _ in estimates if _is_number(setting[x])})
    axes.set_xticks(places, [f"{place:g}" for place in places])
    axes.minorticks_off()
    _add_legend(figure)
    return figure


def _is_number(text: object) -> bool:
    """Whether a setting is one place: a range of radii or all dimensions together are not."""
    return str(text).replace(".", "", 1).isdigit()


def _columns(names: Sequence[str]) -> int:
    """How many names of a legend fit beside each other."""
    return 2 if max(map(len, names)) <= LONGEST_OF_TWO_COLUMNS else 1


def _axes_below_legend(names: Sequence[str], **settings: Any) -> tuple[Figure, Axes]:
    """A figure with room for a legend of these names, and its axes below."""
    head = 0.2 + ROW * math.ceil(len(names) / _columns(names))
    return new_axes(PLOT + head, head=head, **settings)


def _add_legend(figure: Figure) -> None:
    """The legend from edge to edge above the axes, where it covers nothing."""
    handles, names = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        handles, names, ncols=_columns(names), loc="upper left", bbox_to_anchor=(0, 0.985), borderpad=0,
        borderaxespad=0, handlelength=1.6, handletextpad=0.5, columnspacing=1,
    )  # fmt: skip


def _line(axes: Axes, points: Sequence[tuple[float, Estimate, Published | None]], k: int, title: str) -> None:
    """One line with the bars of its intervals, and rings where something was published."""
    places, estimates, known = zip(*points, strict=True)
    values = np.array([estimate.value for estimate in estimates])
    ends = np.array([[estimate.low, estimate.high] for estimate in estimates])
    lengths = np.nan_to_num(np.abs(ends - values[:, None])).T  # (2, points)
    color, marker = PALETTE[k % len(PALETTE)], MARKERS[k % len(MARKERS)]
    axes.errorbar(places, values, yerr=lengths, color=color, marker=marker, label=title, capsize=2)
    rings = [(place, value.value) for place, value in zip(places, known, strict=True) if value]
    if rings:
        axes.plot(*zip(*rings, strict=True), "o", markersize=12, fillstyle="none", color=color)


@in_style
def trajectory_ends() -> Figure:
    """The shares of runs in the plane that end within a distance of the SVM of either norm."""
    table = recorded("trajectories")
    norms = {"W": ("Frobenius", "nuclear"), "KQ": ("nuclear", "Frobenius")}
    names = [f"{form}, {norm} norm" for form, both in norms.items() for norm in both]
    figure, axes = _axes_below_legend(
        names, xlabel="1 − correlation with the SVM", ylabel="share of runs", xscale="log"
    )
    for k, name in enumerate(names):
        form, column, style = ("W", "KQ")[k // 2], ("own", "other")[k % 2], ("-", "--")[k % 2]
        distances = np.sort(table[column][table["form"] == form])
        shares = np.arange(1, len(distances) + 1) / len(distances)
        axes.step(distances, shares, style, where="post", color=PALETTE[k // 2], label=name)
    axes.set_xlim(1e-6, 1)
    _add_legend(figure)
    return figure
