"""Figures of linear attention: its operations, windows over positions, fast weights.

(book: Random features and linear attention)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, SKY, VERMILION


def brackets_drawing(
    n: int,
    d: int,
    D: int,
    linear: bool,
    flops: tuple[NDArray, Sequence[int], Sequence[int], int, int],
    errors: dict[int, tuple[float, float]],
    blind: float,
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
        xlabel="tokens $n$", xticks={64: "64", 1024: "1,024", 16_384: "16,384"},
    )  # fmt: skip
    for name, values, now, colour, dashes, marker in (
        ("exact", exact, exact_now, VERMILION, "--", "s"), ("linear", moved, linear_now, BLUE, "-", "o"),
    ):  # fmt: skip
        panel.plot(lengths, values, key=name, color=colour, linestyle=dashes)
        dot: dict[str, Any] = {"color": colour, "marker": marker, "size": 46, "tell": {"operations": [now]}}
        panel.scatter([n], [now], keys=[f"{name} at n"], links=[name], **dot)
        place = (lengths[-12], values[-12])
        side: dict[str, Any] = (
            {"offset": (-6, 8), "ha": "right"} if name == "exact" else {"offset": (6, -20), "ha": "left"}
        )
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
    told = f"{made}, formed first", f"{rows:,}×{columns:,}"
    _rectangle(panel, made, (rows, columns), (11.9, 19), colour, told)


def _rectangle(
    panel: Panel,
    name: str,
    shape: tuple[int, int],
    corner: tuple[float, float],
    colour: str,
    told: tuple[str, str],
) -> None:
    """A matrix as a rectangle whose sides are the logarithms of its shape, with what is `told` above it."""
    (left, top), (height, width) = corner, 0.75 * np.log2(shape)
    right, bottom = left + width, top + height
    panel.fill([left, right, right, left], [top, top, bottom, bottom], key=name, color=colour, alpha=0.45)
    for text, what, lift in zip(told, ("name", "shape"), (24, 4), strict=True):
        style: dict[str, Any] = {"offset": (0, lift), "ha": "left", "size": 12, "link": name}
        panel.annotate(text, (left, top), key=f"{what} of {name}", **style)


def _errors_panel(drawing: Drawing, D: int, errors: dict[int, tuple[float, float]], blind: float) -> None:
    """The relative error of attention for each number of features, with its spread over draws."""
    panel = drawing.panel(
        "relative error", xlim=(11, 1500), ylim=(0.01, 2), xscale="log", yscale="log", title="relative error",
        xlabel="features $D$", xticks={count: f"{count}" for count in errors}, yticks=[0.01, 0.1, 1],
    )  # fmt: skip
    panel.hlines(blind, key="mean of all values", color=MUTED, linestyle="--")
    for count, (mean, deviation) in errors.items():
        now = count == D
        panel.vlines(
            count, mean - deviation, mean + deviation, key=f"spread at {count}", color=INK, linestyle="-"
        )
        panel.scatter(
            [count], [mean], keys=[f"error at {count}"], color=BLUE if now else PAPER, edgecolor=BLUE,
            size=70 if now else 26, tell={"error": [mean], "spread": [deviation]},
        )  # fmt: skip


def window_drawing(
    offsets: NDArray, taper: NDArray, eigenvalues: NDArray, spectrum_of_taper: tuple[NDArray, NDArray]
) -> Drawing:
    """A taper over the distance of positions, its transform over degrees, and the eigenvalues under it."""
    drawing = Drawing()
    profile = drawing.panel(
        "window", xlim=(-9, 9), ylim=(-0.05, 1.15), xlabel="$i-j$", title="window", height=230,
        xticks=[-8, -4, 0, 4, 8],
    )  # fmt: skip
    keys = [f"offset {o}" for o in offsets]
    profile.bar(offsets, taper, keys=keys, color=SKY, tell="weight")
    angles, values = spectrum_of_taper
    fourier = drawing.panel(
        "Fourier transform", xlim=(0, 180), ylim=(-4, 14), xlabel="frequency, degrees per position",
        title="its Fourier transform", xticks={0: "0°", 90: "90°", 180: "180°"}, height=230,
    )  # fmt: skip
    fourier.fill(
        [*angles, 180, 0], [*np.minimum(values, 0), 0, 0],
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


def fast_weights_drawing(W: NDArray, stored: NDArray, read: NDArray) -> Drawing:
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
