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
    places = sorted({float(setting[x]) for setting, _ in estimates if _is_number(setting[x])})
    axes.set_xticks(places, [f"{place:g}" for place in places])
    axes.minorticks_off()
    return _with_legend(figure, axes)


def _is_number(text):
    """Whether a setting is one place: a range of radii or all dimensions together are not."""
    return str(text).replace(".", "", 1).isdigit()


def _with_legend(figure, axes):
    """The figure with its legend above the axes, where it covers nothing."""
    figure.subplots_adjust(top=0.84)
    axes.legend(fontsize=8, frameon=False, ncols=3, loc="lower left", bbox_to_anchor=(0, 1.01))
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
    axes.set_xlim(1e-6, 1)
    return _with_legend(figure, axes)
