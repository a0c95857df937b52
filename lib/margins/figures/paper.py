"""Still figures of the experiments, drawn from their recorded results beside published values.

(book: The paper in a minute)
"""

import numpy as np

from margins.experiments.catalogue import EXPERIMENTS
from margins.experiments.published import published
from margins.experiments.recorded import recorded
from margins.experiments.report import label
from margins.figures.palette import MARKERS, PALETTE
from margins.figures.style import new_axes


def estimate_lines(name, x, series, **settings):
    """Lines of estimates over the setting `x`, one for each of the series: a name, settings, a quantity.

    Bars are 95 % intervals, rings published values; `settings` go to the axes (book: The paper in a minute).
    """
    estimates, known = EXPERIMENTS[name].estimates(recorded(name)), published(name)
    figure, axes = new_axes(6.4, 4.0, **settings)
    for k, (title, wanted, quantity) in enumerate(series):
        points = [
            (float(setting[x]), values[quantity], known.get((label(setting), quantity)))
            for setting, values in estimates
            if quantity in values and wanted.items() <= setting.items()
        ]
        _line(axes, sorted(points, key=lambda point: point[0]), k, title)
    axes.legend(fontsize=8)
    return figure


def _line(axes, points, k, title):
    """One line with the bars of its intervals, and rings where something was published."""
    places, estimates, known = zip(*points, strict=True)
    values = np.array([estimate.value for estimate in estimates])
    ends = np.array([[estimate.low, estimate.high] for estimate in estimates])
    reach = np.nan_to_num(np.abs(ends - values[:, None])).T  # (2, points)
    color, marker = PALETTE[k % len(PALETTE)], MARKERS[k % len(MARKERS)]
    axes.errorbar(places, values, yerr=reach, color=color, marker=marker, label=title, capsize=2)
    rings = [(place, value.value) for place, value in zip(places, known, strict=True) if value]
    if rings:
        axes.plot(*zip(*rings, strict=True), "o", markersize=12, fillstyle="none", color=color)


def trajectory_ends():
    """The shares of runs in the plane that end within a distance of the SVM of either norm.

    (book: The paper in a minute)
    """
    table = recorded("trajectories")
    norms = {"W": ("Frobenius", "nuclear"), "KQ": ("nuclear", "Frobenius")}
    figure, axes = new_axes(
        6.4, 4.0, xlabel="1 - correlation with the SVM", ylabel="share of runs", xscale="log"
    )
    for k, (form, names) in enumerate(norms.items()):
        for column, norm, style in zip(("own", "other"), names, ("-", "--"), strict=True):
            distances = np.sort(table[column][table["form"] == form])
            shares = np.arange(1, len(distances) + 1) / len(distances)
            axes.step(distances, shares, style, where="post", color=PALETTE[k], label=f"{form}, {norm} norm")
    axes.legend(fontsize=8)
    return figure
