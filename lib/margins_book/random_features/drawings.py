"""Drawings of random features: estimates, errors, quotients, operations, windows, states, the bill."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, SKY, VERMILION
from explorable.style import in_style, new_axes
from margins.random_features import attention_flops, linear_attention_flops
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, new_plane, point_keys, span

KIND_COLOURS = {"positive": BLUE, "hyperbolic": GREEN, "trigonometric": VERMILION}
DASHES = (0, (5, 2))
FAINT = 0.04  # shares of attention below are not written
LOW, HIGH = 1.0, 1e12  # projections that are shown
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def estimates_drawing(
    query: tuple[float, float], points: NDArray, labels: NDArray, weights: NDArray, exact: float,
    estimates: NDArray, mean: float,
) -> Drawing:
    """A query among labelled points, the exact average of their labels, many estimates of it and their mean.

    The disc of a point is as large as its share `weights` of the attention; `estimates` (r,) lie in rows.
    """
    drawing, names = Drawing(), point_keys(len(points))
    limits = span([points[:, 0], 1.5 * points[:, 1]], least=(-3.4, 3.4))  # it is 1.5 times as wide as high
    plane = new_plane(drawing, "points and query", half_width=max(-limits[0], limits[1]))
    classes = np.where(labels > 0, 1, -1).tolist()
    style: dict[str, Any] = {
        "marker": [CLASS_MARKERS[label] for label in classes],
        "color": [CLASS_COLOURS[label] for label in classes]}
    plane.scatter(
        *points.T, keys=names, size=26 + 1400 * weights, alpha=0.75, tell={"weight": weights}, **style)
    plane.arrow((0, 0), query, key="query", color=INK, tell=("q₁", "q₂"))
    for i, name in enumerate(names):
        away = 20 * points[i] / np.linalg.norm(points[i])
        plane.annotate(f"{i}", points[i], key=f"name {i}", offset=(away[0], away[1] - 5), size=12, link=name)
    with plane.aside("weights"):
        for i in np.flatnonzero(weights >= FAINT).tolist():
            below: dict[str, Any] = {"offset": (0, -20), "size": 12, "color": INK}
            plane.annotate(f"{weights[i]:.0%}", points[i], key=f"weight of point {i}", **below)
    _answers_panel(drawing, exact, estimates, mean, span(labels, least=(-1.12, 1.12)))
    return drawing


def _answers_panel(
    drawing: Drawing, exact: float, estimates: NDArray, mean: float, limits: tuple[float, float]
) -> None:
    """The answers between the labels: the exact one and the mean at the top, a row for each estimate."""
    count = len(estimates)
    panel = drawing.panel(
        "answers", xlim=limits, ylim=(count + 1, -6), title="answer and estimates", yticks=[],
        xticks={-1: "−1 squares", 0: "0", 1: "circles +1"})
    panel.vlines(exact, key="line of the exact answer", color=MUTED, linestyle="--", link="exact answer")
    each = [f"estimate {r + 1}" for r in range(count)]
    panel.scatter(estimates, np.arange(count), keys=each, size=14, color=VERMILION, alpha=0.6, z=1)
    panel.scatter([exact], [-3], keys=["exact answer"], size=110, marker="D", color=PAPER, edgecolor=INK)
    panel.scatter([mean], [-3], keys=["mean of the estimates"], size=60, marker="x", color=VERMILION, z=4)


def cosines_drawing(
    delta: NDArray, kernel: NDArray, estimate: NDArray, widths: NDArray, suprema: tuple[NDArray, NDArray],
    m: int, supremum: float,
) -> Drawing:
    """A kernel over the distance and the mean of m cosines beside it; the largest error over m.

    `suprema` is (mean, deviation) over draws, each over `widths`.
    """
    drawing = Drawing()
    curve = drawing.panel(
        "kernel", xlim=(0, delta[-1]), ylim=(-1.05, 1.15), xlabel="distance",
        title="the kernel and its estimate")
    curve.plot(delta, kernel, key="kernel", color=INK, linestyle="--")
    curve.plot(delta, estimate, key="estimate", color=BLUE)
    worst = np.abs(estimate - kernel).argmax()
    ends = [kernel[worst], estimate[worst]]
    curve.plot([delta[worst]] * 2, ends, key="largest error", color=VERMILION, link="largest error now")
    panel = drawing.panel(
        "largest error", xlim=(1, 512), ylim=(0.01, 3), xscale="log", yscale="log", xlabel="projections $m$",
        title="largest error", xticks=[1, 10, 100], yticks=[0.01, 0.1, 1])
    mean, spread = suprema
    band = np.concatenate([mean + spread, np.maximum(mean - spread, 1e-3)[::-1]])
    panel.fill(np.concatenate([widths, widths[::-1]]), band, key="spread over draws", color=BLUE)
    panel.plot(widths, mean, key="mean over draws", color=BLUE)
    tell = {"m": [m], "error": [supremum]}
    panel.scatter(
        [m], [supremum], keys=["largest error now"], color=VERMILION, marker="D", size=46, tell=tell)
    return drawing


def bells_drawing(g: NDArray, draws: NDArray, of_the_mean: NDArray, s: float) -> Drawing:
    """The density of the draws `g`, and the same times the estimate over its mean, which is centred at s."""
    drawing = Drawing()
    panel = drawing.panel(
        "bells", xlim=(g[0], g[-1]), ylim=(0, 0.5), xlabel="draw $g$",
        title="draws, and what the mean is made of", yticks=[], xticks=[-2, 0, 2, 4, 6], height=210)
    tail = np.maximum(g, s)
    heights = np.where(g >= s, draws, math.exp(-(s**2) / 2) / math.sqrt(2 * math.pi))
    panel.fill(
        [s, *tail, g[-1]], [0, *heights, 0], key="draws beyond", color=BLUE, alpha=0.6, link="draws")
    panel.plot(g, draws, key="draws", color=BLUE)
    panel.plot(g, of_the_mean, key="share of the mean", color=VERMILION, linestyle="--")
    panel.vlines(s, 0, 0.4, key="middle", color=MUTED, linestyle=":")
    panel.annotate(
        "draws", (-0.9, 0.27), key="name of the draws", offset=(-6, 4), ha="right", color=BLUE, link="draws")
    panel.annotate(
        "share of the mean", (s + 0.5, 0.36), key="name of the share", offset=(6, 8), ha="left",
        color=VERMILION, link="share of the mean")
    return drawing


def coins_drawing(Z: NDArray, chances: NDArray, mean: float) -> Drawing:
    """The values `Z` of the mean of coins on the curve of 1/Z, as large as their chances, and their means."""
    drawing, curve = Drawing(), np.linspace(0.9, 3.1, 45)
    panel = drawing.panel(
        "quotient", xlim=(0.8, 3.2), ylim=(0.2, 1.2), xlabel="$Z$", title="$1/Z$", xticks=[1, 2, 3],
        yticks=[0.5, 1], height=210)
    panel.plot(curve, 1 / curve, key="curve", color=MUTED)
    keys = [f"value {i}" for i in range(len(Z))]
    sizes = 20 + 500 * chances
    panel.scatter(Z, 1 / Z, keys=keys, size=sizes, color=BLUE, alpha=0.6, tell={"chance": chances})
    exact: dict[str, Any] = {"marker": "D", "color": PAPER, "edgecolor": INK, "size": 70, "z": 3}
    panel.scatter([2], [0.5], keys=["one over the mean"], **exact)
    cross: dict[str, Any] = {"marker": "x", "color": VERMILION, "size": 60, "z": 4}
    panel.scatter([2], [mean], keys=["mean of 1/Z"], tell=("Z", "1/Z"), **cross)
    return drawing


def variance_map_drawing(
    q: float, k: float, axis: NDArray, advantage: NDArray, curve: Sequence[NDArray], errors: dict[str, float]
) -> Drawing:
    """Which features estimate e^(qk) better, over q and k on a line, and the errors at one place.

    `advantage` (len(axis), len(axis)) is log10 of the errors of positive over trigonometric
    features, rows from the largest k; `curve` lists the branches where both err alike.
    """
    drawing, limit = Drawing(), axis[-1]
    plane = drawing.panel(
        "map", xlim=(-limit, limit), ylim=(-limit, limit), height=330, xlabel="$q$", ylabel="$k$",
        xticks=[-1, 0, 1], yticks=[-1, 0, 1], title="who errs less")
    plane.image(-advantage, key="advantage", extent=(-limit, limit, -limit, limit), vmax=2.0)
    for i, branch in enumerate(curve):
        plane.plot(*branch.T, key=f"equal errors, branch {i + 1}", color=INK, linewidth=1.4, z=1)
    plane.hlines(0, key="k = 0", color=INK, linestyle=":")
    plane.vlines(0, key="q = 0", color=INK, linestyle=":")
    plane.plot([-limit, limit], [-limit, limit], key="q = k", color=MUTED, linewidth=1, z=1)
    plane.plot([-limit, limit], [limit, -limit], key="q = −k", color=MUTED, linewidth=1, z=1)
    plane.scatter([q], [k], keys=["pair"], size=60, color=PAPER, edgecolor=INK, tell=("q", "k"))
    with plane.aside("direction"):
        plane.arrow((0, 0), (q, k), key="direction of the pair", color=INK)
    panel = drawing.panel(
        "error of one projection", xlim=(0.03, 300), ylim=(2.5, -0.7), xscale="log", height=250,
        title="relative error of one projection", yticks=[], xticks=[0.1, 1, 10, 100])
    values, kinds = np.array(list(errors.values())), list(errors)
    colours = [KIND_COLOURS[kind] for kind in kinds]
    shown = np.clip(values, 0.0301, 300)
    panel.barh(range(3), shown, keys=kinds, height=0.4, color=colours, tell={"error": values})
    for row, kind in enumerate(kinds):
        panel.annotate(kind, (0.03, row - 0.2), key=f"name of {kind}", offset=(2, 4), ha="left", link=kind)
    return drawing


@in_style
def orthogonality_figure(lengths: NDArray, curves: dict[str, NDArray]) -> Figure:
    """Variance with orthogonal over variance with independent projections, a line each of `curves`."""
    figure, ax = new_axes(3.4, xlabel="length of q + k or of q − k", ylabel="variance ratio")
    styles = ((BLUE, "-"), (GREEN, DASHES), (VERMILION, (0, (1, 1.6))), (PURPLE, (0, (6, 1.5, 1, 1.5))))
    for (name, values), (colour, dashes) in zip(curves.items(), styles, strict=False):
        ax.plot(lengths, values, color=colour, linestyle=dashes, label=name)
    ax.axhline(1, color=INK, linewidth=1)
    ax.set(xlim=(0, lengths[-1]), ylim=(0, 1.08))
    ax.legend(loc="lower right", handlelength=1.3, borderaxespad=0)
    return figure


@in_style
def bias_figure(widths: Sequence[int], shares: NDArray, noise: NDArray) -> Figure:
    """m times the bias over m as a share of the coefficient to which it tends, with two standard errors."""
    figure, ax = new_axes(xlabel="projections m", ylabel="m × bias / $c_1$", xscale="log")
    ax.errorbar(widths, shares, yerr=2 * noise, fmt="o", color=BLUE, capsize=3, markersize=5)
    ax.axhline(1, color=VERMILION, linestyle=DASHES)
    ax.set(yticks=[0.85, 0.9, 0.95, 1, 1.05], xticks=widths, xticklabels=[str(m) for m in widths])
    ax.minorticks_off()
    return figure


def brackets_drawing(
    n: int, d: int, D: int, linear: bool, flops: tuple[NDArray, Sequence[int], Sequence[int], int, int],
    errors: dict[int, tuple[float, float]], blind: float,
) -> Drawing:
    """The matrices of attention by the order of its brackets, the operations over n, the error by features.

    `flops` is (lengths, exact, linear, exact at n, linear at n); `errors` maps a number of
    features to the mean and the standard deviation of the relative error; `blind` is that of the mean value.
    """
    drawing = Drawing()
    _shapes_panel(drawing, n, d, D, linear)
    lengths, exact, moved, exact_now, linear_now = flops
    panel = drawing.panel(
        "operations", xlim=(64, 65_536), ylim=(1e5, 1e12), xscale="log", yscale="log", title="operations",
        xlabel="tokens $n$", xticks={64: "64", 1024: "1,024", 16_384: "16,384"})
    for name, values, now, colour, dashes, marker in (
        ("exact", exact, exact_now, VERMILION, "--", "s"), ("linear", moved, linear_now, BLUE, "-", "o"),
    ):
        panel.plot(lengths, values, key=name, color=colour, linestyle=dashes)
        dot: dict[str, Any] = {"color": colour, "marker": marker, "size": 46, "tell": {"operations": [now]}}
        panel.scatter([n], [now], keys=[f"{name} at n"], links=[name], **dot)
        place = (lengths[-12], values[-12])
        side: dict[str, Any] = (
            {"offset": (-6, 8), "ha": "right"} if name == "exact" else {"offset": (6, -20), "ha": "left"})
        panel.annotate(name, place, key=f"name of {name}", color=colour, link=name, **side)
    panel.vlines(crossing(d, D), key="crossing", color=MUTED, linestyle=":")
    _errors_panel(drawing, D, errors, blind)
    return drawing


def crossing(d: int, D: int) -> float:
    """The number of tokens at which exact and linear attention take equally many operations."""
    return D * (2 + 1 / d)


def made_first(n: int, d: int, D: int, linear: bool) -> tuple[int, int]:
    """The shape of what the product in the brackets makes: φ(K)ᵀ V if `linear`, else Q Kᵀ."""
    return (D, d) if linear else (n, n)


def _shapes_panel(drawing: Drawing, n: int, d: int, D: int, linear: bool) -> None:
    """Three factors to a logarithmic scale, the brackets around two of them, and what these two make."""
    panel = drawing.panel("matrices", xlim=(0, 33), ylim=(32, -4.5), xticks=[], yticks=[], frame=False)
    names = ("φ(Q)", "φ(K)ᵀ", "V") if linear else ("Q", "Kᵀ", "V")
    width, letter = (D, "D") if linear else (d, "d")
    factors = ((n, width, f"n×{letter}"), (width, n, f"{letter}×n"), (n, d, "n×d"))
    for name, (rows, columns, size), left in zip(names, factors, (1.7, 11.9, 25.9), strict=True):
        _rectangle(panel, name, (rows, columns), (left, 1), SKY, (name, size))
    first, last = (11.0, 31.5) if linear else (0.8, 24.9)
    for place, sign in ((first, "("), (last, ")")):
        panel.annotate(sign, (place, 7), key=f"bracket {sign}", offset=(0, 0), size=40)
    rows, columns = made_first(n, d, D, linear)
    made, colour = (f"{names[1]} V", GREEN) if linear else (f"{names[0]} {names[1]}", VERMILION)
    texts = f"{made}, formed first", f"{rows:,}×{columns:,}"
    _rectangle(panel, made, (rows, columns), (11.9, 19), colour, texts)


def _rectangle(
    panel: Panel, name: str, shape: tuple[int, int], corner: tuple[float, float], colour: str,
    texts: tuple[str, str],
) -> None:
    """A matrix as a rectangle whose sides are the logarithms of its shape, with what is `texts` above it."""
    (left, top), (height, width) = corner, 0.75 * np.log2(shape)
    right, bottom = left + width, top + height
    panel.fill([left, right, right, left], [top, top, bottom, bottom], key=name, color=colour, alpha=0.45)
    for text, what, lift in zip(texts, ("name", "shape"), (24, 4), strict=True):
        style: dict[str, Any] = {"offset": (0, lift), "ha": "left", "size": 12, "link": name}
        panel.annotate(text, (left, top), key=f"{what} of {name}", **style)


def _errors_panel(drawing: Drawing, D: int, errors: dict[int, tuple[float, float]], blind: float) -> None:
    """The relative error of attention for each number of features, with its spread over draws."""
    panel = drawing.panel(
        "relative error", xlim=(11, 1500), ylim=(0.01, 2), xscale="log", yscale="log", title="relative error",
        xlabel="features $D$", xticks={count: f"{count}" for count in errors}, yticks=[0.01, 0.1, 1])
    panel.hlines(blind, key="mean of all values", color=MUTED, linestyle="--")
    for count, (mean, deviation) in errors.items():
        now = count == D
        panel.vlines(
            count, mean - deviation, mean + deviation, key=f"spread at {count}", color=INK, linestyle="-")
        panel.scatter(
            [count], [mean], keys=[f"error at {count}"], color=BLUE if now else PAPER, edgecolor=BLUE,
            size=70 if now else 26, tell={"error": [mean], "spread": [deviation]})


def window_drawing(
    offsets: NDArray, taper: NDArray, eigenvalues: NDArray, spectrum_of_taper: tuple[NDArray, NDArray]
) -> Drawing:
    """A taper over the distance of positions, its transform over degrees, and the eigenvalues under it."""
    drawing = Drawing()
    profile = drawing.panel(
        "window", xlim=(-9, 9), ylim=(-0.05, 1.15), xlabel="$i-j$", title="window", height=230,
        xticks=[-8, -4, 0, 4, 8])
    keys = [f"offset {o}" for o in offsets]
    profile.bar(offsets, taper, keys=keys, color=SKY, tell="weight")
    angles, values = spectrum_of_taper
    fourier = drawing.panel(
        "Fourier transform", xlim=(0, 180), ylim=(-4, 14), xlabel="frequency, degrees per position",
        title="its Fourier transform", xticks={0: "0°", 90: "90°", 180: "180°"}, height=230)
    fourier.fill(
        [*angles, 180, 0], [*np.minimum(values, 0), 0, 0],
        key="below zero", color=VERMILION, alpha=0.5)
    fourier.plot(angles, values, key="transform", color=BLUE)
    fourier.hlines(0, key="zero")
    bars = drawing.panel(
        "eigenvalues", xlim=(-4, 12), ylim=(len(eigenvalues) - 0.4, -0.6), title="eigenvalues",
        yticks={0: "1", len(eigenvalues) - 1: f"{len(eigenvalues)}"}, height=230)
    colours = [VERMILION if value < -1e-9 else BLUE for value in eigenvalues]
    keys = [f"eigenvalue {i + 1}" for i in range(len(eigenvalues))]
    bars.barh(range(len(eigenvalues)), eigenvalues, keys=keys, color=colours, tell="λ")
    bars.vlines(0, key="zero", linestyle="-")
    return drawing


def fast_weights_drawing(
    W: NDArray, stored: NDArray, read: NDArray, *, limits: tuple[float, float] = (-2.4, 2.4)
) -> Drawing:
    """The fast weights (features,) written so far, and their answer at each key beside what was stored last.

    `stored` (keys,) is NaN where nothing was stored yet; `read` (keys,) the answers; bars end at `limits`.
    """
    drawing, names = Drawing(), "ABCDEF"[: len(read)]
    weights = drawing.panel(
        "fast weights", xlim=(-0.6, len(W) - 0.4), ylim=limits, height=230, title="fast weights $W_t$",
        xlabel="feature", xticks={r: f"{r + 1}" for r in range(len(W))}, yticks=[-2, -1, 0, 1, 2])
    weights.bar(
        range(len(W)), np.clip(W, *limits), keys=[f"weight {r + 1}" for r in range(len(W))], color=SKY,
        tell={"weight": W})
    weights.hlines(0, key="zero", linestyle="-")
    panel = drawing.panel(
        "answers", xlim=(-0.6, len(read) - 0.4), ylim=limits, height=230, title="answer at each key",
        xlabel="key", xticks=dict(enumerate(names)), yticks=[-2, -1, 0, 1, 2])
    keys, known = [f"answer at {name}" for name in names], np.flatnonzero(np.isfinite(stored))
    panel.bar(range(len(read)), np.clip(read, *limits), keys=keys, color=BLUE, tell={"answer": read})
    panel.scatter(
        known, stored[known], keys=[f"stored at {names[i]}" for i in known], links=[keys[i] for i in known],
        marker="D", color=ORANGE, edgecolor=INK, size=46, tell={"stored": stored[known]})
    panel.hlines(0, key="zero", linestyle="-")
    return drawing


def states_drawing(table: NDArray, answers: NDArray, stored: NDArray) -> Drawing:
    """What tokens count in the answers (t, j) as a heat map; the answers (n,) and what was `stored` last.

    `stored` (n,) is NaN where nothing was stored yet.
    """
    drawing, n = Drawing(), len(answers)
    tokens = np.arange(1, n + 1)
    steps = tokens.tolist()
    panel = drawing.panel(
        "table", xlim=(0.5, n + 0.5), ylim=(n + 0.5, 0.5), xlabel="token $j$", ylabel="after token $t$",
        title="how much token $j$ counts", xticks=steps, yticks=steps, height=300)
    panel.image(table, key="table", extent=(0.5, n + 0.5, n + 0.5, 0.5), vmax=1.0)
    side = drawing.panel(
        "answers", xlim=(0.5, n + 0.5), ylim=(-1.4, 2.4), xlabel="after token $t$", title="answer $y_t$",
        xticks=steps, yticks=[-1, 0, 1, 2], height=300)
    side.hlines(0, key="zero", linestyle="-")
    side.plot(tokens, answers, key="answer", color=BLUE)
    known = np.flatnonzero(np.isfinite(stored))
    keys = [f"stored by then {t + 1}" for t in known]
    style: dict[str, Any] = {"marker": "D", "color": ORANGE, "edgecolor": INK, "size": 40}
    side.scatter(tokens[known], stored[known], keys=keys, tell={"stored": stored[known]}, **style)
    return drawing


def bill_drawing(
    length: float, error: float, lengths: NDArray, projections: Mapping[float, NDArray],
    operations: tuple[float, float], numbers: tuple[float, float],
) -> Drawing:
    """The projections for a query on its key over its length, and what attention and features then take.

    `projections` maps each error to the numbers needed at `lengths`; `operations` and `numbers` (of memory)
    are those of exact attention and of features at the length and the error of the moment.
    """
    drawing = Drawing()
    panel = drawing.panel(
        "projections", xlim=(0, lengths[-1]), ylim=(LOW, HIGH), yscale="log", xlabel="length $r$",
        title="projections needed", yticks={1: "1", 1e4: "10⁴", 1e8: "10⁸", 1e12: "10¹²"}, height=250)
    styles = ((GREEN, ":"), (BLUE, "-"), (VERMILION, "--"))
    for (level, needed), (colour, dashes) in zip(projections.items(), styles, strict=True):
        name = f"error {level:.0%}"
        panel.plot(lengths, np.clip(needed, LOW, HIGH), key=name, color=colour, linestyle=dashes)
        side: dict[str, Any] = (
            {"offset": (8, -12), "ha": "left"} if colour == GREEN else {"offset": (-4, 6), "ha": "right"})
        panel.annotate(
            f"{level:.0%}", (1.2, np.clip(np.interp(1.2, lengths, needed), LOW, HIGH)), key=f"name of {name}",
            color=colour, link=name, **side)
    now = np.interp(length, lengths, np.log10(projections[error]))
    panel.scatter([length], [10**now], keys=["this bill"], size=60, color=INK, tell=("r", "projections"))
    _bars(drawing, "operations", operations, (1e5, 1e19))
    _bars(drawing, "numbers kept", numbers, (1e1, 1e13))
    return drawing


def _bars(drawing: Drawing, what: str, values: tuple[float, float], limits: tuple[float, float]) -> None:
    """Two bars, of exact attention and of features, on a log scale, and a line where the first ends."""
    low, high = limits
    decades = [k for k in range(3, 20, 3) if low <= 10.0**k <= high]
    panel = drawing.panel(
        what, xlim=limits, ylim=(1.6, -0.8), xscale="log", title=what, yticks=[], height=170,
        xticks={10.0**k: f"10{str(k).translate(RAISED)}" for k in decades})
    names = [f"{what} of attention", f"{what} of features"]
    style: dict[str, Any] = {"height": 0.4, "color": [VERMILION, BLUE], "tell": {what: np.array(values)}}
    panel.barh(range(2), np.clip(values, low, high), keys=names, **style)
    panel.vlines(values[0], key=f"as much {what}", color=MUTED, linestyle=":", link=names[0])
    for row, name in enumerate(("exact attention", "features")):
        panel.annotate(
            name, (low, row - 0.22), key=f"name of {names[row]}", offset=(2, 4), ha="left", link=names[row])


def bill_table(blind: Mapping[int, float], found: Mapping[tuple[int, int], Sequence[float]]) -> str:
    """The bill for 8,192 tokens in 64 dimensions, by the size of queries and keys.

    `blind` has the error of the mean of all values by size; `found` those of Performers in each of several
    draws, by size and number of features.
    """
    lines = ["n = 8,192       work      kept  1/4  1/2    1"]
    lines.append(_row("exact attention", 1, 2 * 8192 * 64, [0.0] * len(blind)))
    lines.append(_row("mean of values", 0, 64, list(blind.values())))
    for D in dict.fromkeys(D for _, D in found):
        share = linear_attention_flops(8192, 64, D) / attention_flops(8192, 64)
        means = [float(np.mean(found[size, D])) for size in blind]
        lines.append(_row(f"Performer, {D}", share, D * (64 + 1), means))
    worst = max(np.std(errors, ddof=1) / math.sqrt(len(errors)) for errors in found.values())
    lines += ["work: operations, exact attention's are 1", "1/4, 1/2, 1: the errors at these lengths,"]
    return "\n".join([*lines, f"with standard errors up to {worst:.2f}"])


def _row(name: str, work: float, kept: int, errors: Sequence[float]) -> str:
    return f"{name:15} {work:4.2f} {kept:9,} " + " ".join(f"{error:4.2f}" for error in errors)
