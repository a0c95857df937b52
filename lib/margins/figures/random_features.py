"""The drawings of the chapter on random features, from plain arrays: those that move, then those that stay.

(book: Random features and linear attention)
"""

import numpy as np

from margins.explore import Drawing
from margins.figures.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, SKY, VERMILION
from margins.figures.style import in_style, new_axes

KIND_COLOURS = {"positive": BLUE, "hyperbolic": GREEN, "trigonometric": VERMILION}
DASHES = (0, (5, 2))


# --- the cloud of estimates ---------------------------------------------------------------------------


def cloud_drawing(query, keys, values, weights, exact, estimates, mean):
    """A query among its keys, and among the values the exact answer, many estimates of it and their mean."""
    drawing, names = Drawing(), [f"key {j + 1}" for j in range(len(keys))]
    plane = drawing.panel(
        "query and keys", xlim=(-1.8, 1.8), ylim=(-1.55, 1.55), height=300, title="query and keys",
        xticks=[-1, 0, 1], yticks=[-1, 0, 1],
    )  # fmt: skip
    plane.scatter(
        *keys.T,
        keys=names,
        size=30 + 900 * weights,
        color=BLUE,
        alpha=0.75,
        tell={"attention": weights},
    )
    plane.arrow((0, 0), query, key="query", color=INK, tell=("q₁", "q₂"))
    for j, (name, key) in enumerate(zip(names, keys, strict=True)):
        away = 24 * key / np.linalg.norm(key)
        plane.annotate(f"{j + 1}", key, key=f"number of {name}", offset=(away[0], away[1] - 5), link=name)
    _outputs_panel(drawing, names, values, exact, estimates, mean)
    return drawing


def _outputs_panel(drawing, names, values, exact, estimates, mean):
    """The plane of the values, with the exact answer, the estimates and their mean."""
    panel = drawing.panel(
        "answers", xlim=(-1.3, 1.3), ylim=(-1.25, 1.25), height=300, title="answers among the values",
        xticks=[-1, 0, 1], yticks=[-1, 0, 1],
    )  # fmt: skip
    panel.plot(*np.vstack([values, values[:1]]).T, key="hull of the values", color=MUTED, linewidth=1.2, z=0)
    own = [f"value {j + 1}" for j in range(len(values))]
    panel.scatter(*values.T, keys=own, links=names, marker="s", color=SKY)
    for j, value in enumerate(values):
        away = 14 * value / np.linalg.norm(value)
        panel.annotate(
            f"{j + 1}", value, key=f"number of {own[j]}", offset=(away[0], away[1] - 5), link=names[j]
        )
    each = [f"estimate {r + 1}" for r in range(len(estimates))]
    panel.scatter(*estimates.T, keys=each, size=9, color=VERMILION, alpha=0.5, z=1)
    panel.scatter(*exact[:, None], keys=["exact answer"], size=110, marker="D", color=PAPER, edgecolor=INK)
    panel.scatter(*mean[:, None], keys=["mean of the estimates"], size=60, marker="x", color=VERMILION, z=4)


# --- brackets -----------------------------------------------------------------------------------------


def brackets_drawing(n, d, D, linear, flops, errors):
    """The matrices of attention by the order of its brackets, the operations over n, the error by features.

    `flops` is (lengths, exact, linear, exact at n, linear at n); `errors` maps a number of
    features to the mean and the standard deviation of the relative error.
    """
    drawing = Drawing()
    _shapes_panel(drawing, n, d, D, linear)
    lengths, exact, moved, exact_now, linear_now = flops
    panel = drawing.panel(
        "operations", xlim=(64, 65_536), ylim=(1e5, 1e12), xscale="log", yscale="log", title="operations",
        xlabel="tokens $n$", xticks={64: "64", 1024: "1,024", 16_384: "16,384"},
    )  # fmt: skip
    for name, values, now, colour, dashes, marker in (
        ("exact", exact, exact_now, VERMILION, "--", "s"), ("linear", moved, linear_now, BLUE, "-", "o"),
    ):  # fmt: skip
        panel.plot(lengths, values, key=name, color=colour, linestyle=dashes)
        dot = {"color": colour, "marker": marker, "size": 46, "tell": {"operations": [now]}}
        panel.scatter([n], [now], keys=[f"{name} at n"], links=[name], **dot)
        place = (lengths[-12], values[-12])
        side = {"offset": (-6, 8), "ha": "right"} if name == "exact" else {"offset": (6, -20), "ha": "left"}
        panel.annotate(name, place, key=f"name of {name}", color=colour, link=name, **side)
    panel.vlines(D * (2 + 1 / d), key="crossing", color=MUTED, linestyle=":")
    _errors_panel(drawing, D, errors)
    return drawing


def _shapes_panel(drawing, n, d, D, linear):
    """Three factors to a logarithmic scale, the brackets around two of them, and what these two make."""
    panel = drawing.panel(
        "matrices", xlim=(0, 33), ylim=(31, -3.5), height=310, xticks=[], yticks=[], frame=False
    )
    names = ("φ(Q)", "φ(K)ᵀ", "V") if linear else ("Q", "Kᵀ", "V")
    width = D if linear else d
    shapes = ((n, width), (width, n), (n, d))
    lefts, size = (0.5, 11.0, 25.0), 0.75
    for name, (rows, columns), left in zip(names, shapes, lefts, strict=True):
        _rectangle(panel, name, rows, columns, left, 1, size, SKY)
    first, last = (10.3, 30.6) if linear else (0.0, 23.9)
    for place, sign in ((first, "("), (last, ")")):
        panel.annotate(sign, (place, 7), key=f"bracket {sign}", offset=(0, 0), size=40)
    made = (D, d) if linear else (n, n)
    words = f"{names[1]} V" if linear else f"{names[0]} {names[1]}"
    _rectangle(panel, words, *made, 11.0, 18, size, GREEN if linear else VERMILION)


def _rectangle(panel, name, rows, columns, left, top, size, colour):
    """A matrix as a rectangle whose sides are the logarithms of its numbers of rows and columns."""
    right, bottom = left + size * np.log2(columns), top + size * np.log2(rows)
    panel.fill([left, right, right, left], [top, top, bottom, bottom], key=name, color=colour, alpha=0.45)
    for text, what, lift in ((name, "name", 18), (f"{rows:,}×{columns:,}", "shape", 4)):
        look = {"offset": (0, lift), "ha": "left", "size": 12, "link": name}
        panel.annotate(text, (left, top), key=f"{what} of {name}", **look)


def _errors_panel(drawing, D, errors):
    """The relative error of attention for each number of features, with its spread over draws."""
    panel = drawing.panel(
        "relative error", xlim=(11, 1500), ylim=(0.01, 2), xscale="log", yscale="log", title="relative error",
        xlabel="features $D$", xticks={count: f"{count}" for count in errors}, yticks=[0.01, 0.1, 1],
    )  # fmt: skip
    for count, (mean, deviation) in errors.items():
        now = count == D
        panel.vlines(
            count, mean - deviation, mean + deviation, key=f"spread at {count}", color=INK, linestyle="-"
        )
        panel.scatter(
            [count], [mean], keys=[f"error at {count}"], color=BLUE if now else PAPER, edgecolor=BLUE,
            size=70 if now else 26, tell={"error": [mean], "spread": [deviation]},
        )  # fmt: skip


# --- cosines that add up to a kernel ------------------------------------------------------------------


def cosines_drawing(delta, kernel, estimate, widths, suprema, m, supremum):
    """A kernel over the distance and the mean of m cosines beside it; the largest error over m.

    `suprema` is (mean, deviation) over draws, each over `widths`.
    """
    drawing = Drawing()
    curve = drawing.panel(
        "kernel",
        xlim=(0, delta[-1]),
        ylim=(-1.05, 1.15),
        xlabel="distance",
        title="the kernel and its estimate",
    )
    curve.plot(delta, kernel, key="kernel", color=INK, linestyle="--")
    curve.plot(delta, estimate, key="estimate", color=BLUE)
    worst = np.abs(estimate - kernel).argmax()
    ends = [kernel[worst], estimate[worst]]
    curve.plot([delta[worst]] * 2, ends, key="largest error", color=VERMILION, link="largest error now")
    panel = drawing.panel(
        "largest error", xlim=(1, 512), ylim=(0.01, 3), xscale="log", yscale="log", xlabel="projections $m$",
        title="largest error", xticks=[1, 10, 100], yticks=[0.01, 0.1, 1],
    )  # fmt: skip
    mean, spread = suprema
    band = np.concatenate([mean + spread, np.maximum(mean - spread, 1e-3)[::-1]])
    panel.fill(np.concatenate([widths, widths[::-1]]), band, key="spread over draws", color=BLUE)
    panel.plot(widths, mean, key="mean over draws", color=BLUE)
    tell = {"m": [m], "error": [supremum]}
    panel.scatter(
        [m], [supremum], keys=["largest error now"], color=VERMILION, marker="D", size=46, tell=tell
    )
    return drawing


# --- the map of variances -----------------------------------------------------------------------------


def variance_map_drawing(q, k, axis, advantage, curve, errors):
    """Which features estimate e^(qk) better, over q and k on a line, and the errors at one place.

    `advantage` (len(axis), len(axis)) is log10 of the errors of positive over trigonometric
    features, rows from the largest k; `curve` lists the branches where both err alike.
    """
    drawing, reach = Drawing(), axis[-1]
    plane = drawing.panel(
        "map", xlim=(-reach, reach), ylim=(-reach, reach), height=330, xlabel="$q$", ylabel="$k$",
        xticks=[-1, 0, 1], yticks=[-1, 0, 1], title="who errs less",
    )  # fmt: skip
    plane.image(-advantage, key="advantage", extent=(-reach, reach, -reach, reach), vmax=2.0)
    for i, branch in enumerate(curve):
        plane.plot(*branch.T, key=f"equal errors, branch {i + 1}", color=INK, linewidth=1.4, z=1)
    plane.hlines(0, key="k = 0", color=INK, linestyle=":")
    plane.vlines(0, key="q = 0", color=INK, linestyle=":")
    plane.plot([-reach, reach], [-reach, reach], key="q = k", color=MUTED, linewidth=1, z=1)
    plane.plot([-reach, reach], [reach, -reach], key="q = −k", color=MUTED, linewidth=1, z=1)
    plane.scatter([q], [k], keys=["pair"], size=60, color=PAPER, edgecolor=INK, tell=("q", "k"))
    panel = drawing.panel(
        "error of one projection", xlim=(0.03, 300), ylim=(2.5, -0.7), xscale="log", height=250,
        title="relative error of one projection", yticks=[], xticks=[0.1, 1, 10, 100],
    )  # fmt: skip
    values, kinds = np.array(list(errors.values())), list(errors)
    colours = [KIND_COLOURS[kind] for kind in kinds]
    shown = np.clip(values, 0.0301, 300)
    panel.barh(range(3), shown, keys=kinds, height=0.4, color=colours, tell={"error": values})
    for row, kind in enumerate(kinds):
        panel.annotate(kind, (0.03, row - 0.2), key=f"name of {kind}", offset=(2, 4), ha="left", link=kind)
    return drawing


# --- windows over positions ---------------------------------------------------------------------------


def window_drawing(offsets, taper, eigenvalues, spectrum_of_taper):
    """A taper over the distance of positions, its Fourier transform, and the eigenvalues under it."""
    drawing = Drawing()
    profile = drawing.panel(
        "window", xlim=(-9, 9), ylim=(-0.05, 1.15), xlabel="$i-j$", title="window", height=230,
        xticks=[-8, -4, 0, 4, 8],
    )  # fmt: skip
    keys = [f"offset {o}" for o in offsets]
    profile.bar(offsets, taper, keys=keys, color=SKY, tell="weight")
    angles, values = spectrum_of_taper
    fourier = drawing.panel(
        "Fourier transform", xlim=(0, np.pi), ylim=(-4, 14), xlabel="frequency",
        title="its Fourier transform", xticks={0: "0", np.pi / 2: "π/2", np.pi: "π"}, height=230,
    )  # fmt: skip
    fourier.fill(
        [*angles, np.pi, 0], [*np.minimum(values, 0), 0, 0],
        key="below zero", color=VERMILION, alpha=0.5,
    )  # fmt: skip
    fourier.plot(angles, values, key="transform", color=BLUE)
    fourier.hlines(0, key="zero")
    bars = drawing.panel(
        "eigenvalues", xlim=(-4, 12), ylim=(len(eigenvalues) - 0.4, -0.6), title="eigenvalues",
        yticks={0: "1", len(eigenvalues) - 1: f"{len(eigenvalues)}"}, height=230,
    )  # fmt: skip
    colours = [VERMILION if value < -1e-9 else BLUE for value in eigenvalues]
    keys = [f"eigenvalue {i + 1}" for i in range(len(eigenvalues))]
    bars.barh(range(len(eigenvalues)), eigenvalues, keys=keys, color=colours, tell="λ")
    bars.vlines(0, key="zero", linestyle="-")
    return drawing


# --- fast weights -------------------------------------------------------------------------------------


def fast_weights_drawing(W, stored, read):
    """The fast weights (features,) written so far, and their answer at each key beside what was stored last.

    `stored` (keys,) is NaN where nothing was stored yet; `read` (keys,) the answers.
    """
    drawing, names = Drawing(), "ABCDEF"[: len(read)]
    weights = drawing.panel(
        "fast weights", xlim=(-0.6, len(W) - 0.4), ylim=(-2.4, 2.4), height=230, title="fast weights $W_t$",
        xlabel="feature", xticks={r: f"{r + 1}" for r in range(len(W))}, yticks=[-2, -1, 0, 1, 2],
    )  # fmt: skip
    weights.bar(
        range(len(W)),
        np.clip(W, -2.4, 2.4),
        keys=[f"weight {r + 1}" for r in range(len(W))],
        color=SKY,
        tell={"weight": W},
    )
    weights.hlines(0, key="zero", linestyle="-")
    panel = drawing.panel(
        "answers", xlim=(-0.6, len(read) - 0.4), ylim=(-2.4, 2.4), height=230, title="answer at each key",
        xlabel="key", xticks=dict(enumerate(names)), yticks=[-2, -1, 0, 1, 2],
    )  # fmt: skip
    keys, known = [f"answer at {name}" for name in names], np.flatnonzero(np.isfinite(stored))
    panel.bar(range(len(read)), np.clip(read, -2.4, 2.4), keys=keys, color=BLUE, tell={"answer": read})
    panel.scatter(
        known, stored[known], keys=[f"stored at {names[i]}" for i in known], links=[keys[i] for i in known],
        marker="D", color=ORANGE, edgecolor=INK, size=46, tell={"stored": stored[known]},
    )  # fmt: skip
    panel.hlines(0, key="zero", linestyle="-")
    return drawing


# --- still figures ------------------------------------------------------------------------------------


@in_style
def orthogonality_figure(lengths, curves):
    """Variance with orthogonal over variance with independent projections, a line each of `curves`."""
    figure, ax = new_axes(3.4, xlabel="length of q + k or of q − k", ylabel="variance ratio")
    looks = ((BLUE, "-"), (GREEN, DASHES), (VERMILION, (0, (1, 1.6))), (PURPLE, (0, (6, 1.5, 1, 1.5))))
    for (name, values), (colour, dashes) in zip(curves.items(), looks, strict=False):
        ax.plot(lengths, values, color=colour, linestyle=dashes, label=name)
    ax.axhline(1, color=INK, linewidth=1)
    ax.set(xlim=(0, lengths[-1]), ylim=(0, 1.08))
    ax.legend(loc="lower right", handlelength=1.3, borderaxespad=0)
    return figure


@in_style
def bias_figure(widths, shares, noise):
    """m times the bias over m as a share of the coefficient to which it tends, with two standard errors."""
    figure, ax = new_axes(xlabel="projections m", ylabel="m × bias / $c_1$", xscale="log")
    ax.errorbar(widths, shares, yerr=2 * noise, fmt="o", color=BLUE, capsize=3, markersize=5)
    ax.axhline(1, color=VERMILION, linestyle=DASHES)
    ax.set(
        ylim=(0.84, 1.05), yticks=[0.85, 0.9, 0.95, 1], xticks=widths, xticklabels=[str(m) for m in widths]
    )
    ax.minorticks_off()
    return figure
