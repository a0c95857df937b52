"""The drawings of the softmax kernel: weights of keys, tables, features, heat maps, letters of a text."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, VERMILION
from explorable.style import in_style, new_axes
from margins_book.drawing.planes import (
    CLASS_COLOURS,
    CLASS_MARKERS,
    half_width_around,
    new_plane,
    point_keys,
)

KERNEL_LIMITS = (-0.8, 6.4)  # of the axis of the kernels' values
EIGENVALUE_LIMITS = (-2.0, 3.0)  # of the axis of smallest eigenvalue and asymmetry
STEPS = ("logits", "exponentials", "weights", "outputs")  # of attention by hand
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
ACROSS = 16  # letters in a line of a text
LARGEST = 640  # area of a letter's disc of weight 1


def sentence_drawing(words: Sequence[str], asks: int, weights: NDArray) -> Drawing:
    """The words of a sentence from top to bottom; strokes to them, as thick as the weights that one gives."""
    drawing, rows = Drawing(), np.arange(len(words))
    settings: dict[str, Any] = {"xticks": [], "yticks": [], "frame": False, "height": 300}
    limits = {"xlim": (-1, 2.2), "ylim": (len(words) - 0.4, -0.6)}
    panel = drawing.panel("the sentence, and strokes to its words", **limits, **settings)
    names = [f"word {i}" for i in rows]
    for i, (word, name) in enumerate(zip(words, names, strict=True)):
        panel.plot(
            [0.1, 1.6], [i, asks], key=f"stroke to {name}", color=BLUE, link=name,
            linewidth=round(0.6 + 15 * float(weights[i]), 2))
        panel.annotate(word, (0, i), key=name, offset=(0, -4), ha="right", size=14, link=name)
    panel.annotate(words[asks], (1.65, asks), key="query", offset=(4, -6), ha="left", size=18, color=GREEN)
    return drawing


def four_blocks_drawing(table: NDArray) -> Drawing:
    """A Gram matrix (2n, 2n) of n queries and then n keys, with a frame around queries with keys."""
    drawing, n = Drawing(), len(table) // 2
    end, middle = 2 * n - 0.5, {(n - 1) / 2: "q", n + (n - 1) / 2: "k"}
    panel = drawing.panel(
        "table", xlim=(-0.5, end), ylim=(end, -0.5), title="queries $q$ and keys $k$ in one table",
        xticks=middle, yticks=middle)
    panel.image(table, key="entries", extent=(-0.5, end, end, -0.5), vmax=table.max())
    panel.hlines(n - 0.5, key="between the rows", color=PAPER, linestyle="-", linewidth=2)
    panel.vlines(n - 0.5, key="between the columns", color=PAPER, linestyle="-", linewidth=2)
    left, right, top, bottom = n - 0.5, end, -0.5, n - 0.5
    panel.plot(
        [left, right, right, left, left], [top, top, bottom, bottom, top], key="block of attention",
        color=VERMILION, linewidth=3)
    return drawing


def dispersion_drawing(
    keys: NDArray, curves: dict[str, NDArray], now: float, shares: dict[str, float]
) -> Drawing:
    """The weights of the wanted key, of all others together and of a sink over the number of keys."""
    drawing, (low, high) = Drawing(), (1e-5, 1e4)
    panel = drawing.panel(
        "weights", xlim=(keys[0], keys[-1]), ylim=(low, high), xscale="log", yscale="log", title="weights",
        xlabel="number of keys", xticks=[10, 1000, 100000], yticks=[1e-4, 1e-2, 1, 100, 1e4])
    styles = (
        ("wanted key", BLUE, "-", 900), ("others together", VERMILION, "--", 3500), ("sink", MUTED, ":", 240))
    for name, colour, dashes, height in styles:
        values = np.maximum(curves[name], low / 10)
        panel.plot(keys, values, key=name, color=colour, linestyle=dashes)
        panel.scatter(
            [now], [max(shares[name], low / 10)], keys=[f"{name} now"], links=[name], color=colour, size=50,
            tell={name: np.array([shares[name]])})
        named: dict[str, Any] = {"color": colour, "link": name}
        panel.plot([2.6, 6], [height, height], key=f"{name} in the key", linestyle=dashes, **named)
        panel.annotate(
            name, (6, height), key=f"{name} in words", offset=(5, -4), ha="left", size=12, **named)
    return drawing


def key_weights_drawing(keys: NDArray, query: NDArray, softmax: NDArray, gaussian: NDArray) -> Drawing:
    """A query among keys; on the right each key's weight by exp(q.k) and by exp(-|q - k|^2/2)."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=half_width_around(keys, 2.6))
    names = draw_keys(plane, keys, softmax)
    plane.arrow((0, 0), query, key="query", color=GREEN, tell=("q₁", "q₂"))
    plane.annotate("$q$", query, key="name of query", color=GREEN, link="query", offset=(15, -21))
    shares_panel(drawing, softmax, gaussian, names, title="weight of each key")
    return drawing


def draw_keys(plane: Panel, keys: NDArray, weights: NDArray) -> list[str]:
    """The numbered keys with discs whose areas are their weights; their names."""
    names = [f"key {j}" for j in range(len(keys))]
    discs = [f"weight on {name}" for name in names]
    plane.scatter(*keys.T, keys=discs, links=names, size=1400 * weights + 1e-3, color=BLUE, alpha=0.3, z=1)
    plane.scatter(*keys.T, keys=names, size=22, color=INK, tell=("k₁", "k₂"))
    for j, (key, name) in enumerate(zip(keys, names, strict=True)):
        plane.annotate(f"{j}", key, key=f"number of {name}", size=12, link=name)
    return names


def shares_panel(
    drawing: Drawing, softmax: NDArray, gaussian: NDArray, names: Sequence[str], *, title: str
) -> None:
    """A bar for softmax's share of each key, a stroke for the Gaussian's; samples of both away from bars."""
    places, row = np.arange(len(names)), len(names) - 0.25
    panel = drawing.panel(
        "shares", xlim=(0, 1), ylim=(len(names) + 0.2, -0.6), title=title, height=246,
        yticks={j: f"{j}" for j in places})
    panel.barh(places, softmax, keys=[f"softmax {j}" for j in places], links=names, tell="softmax")
    stroke: dict[str, Any] = {"marker": "|", "color": VERMILION, "linewidth": 3}
    panel.scatter(
        gaussian, places, keys=[f"Gaussian {j}" for j in places], links=names, size=160,
        tell={"Gaussian": gaussian}, **stroke)
    panel.hlines(row, 0.4, 0.48, key="bar in the key", color=BLUE, linestyle="-", linewidth=7)
    panel.annotate("softmax", (0.48, row), key="softmax in words", offset=(6, -4), ha="left", size=12)
    panel.scatter([0.74], [row], keys=["stroke in the key"], size=90, **stroke)
    panel.annotate("Gaussian", (0.74, row), key="Gaussian in words", offset=(8, -4), ha="left", size=12)


def temperature_drawing(
    weights: NDArray, temperatures: NDArray, attended: NDArray, now: float, root: float
) -> Drawing:
    """The sorted weights at the temperature `now`, and the number of keys attended over all temperatures.

    `attended` holds a column for each draw (len(temperatures), draws), the first of which is that of the
    `weights`; the mean of all is drawn too. `root`, the square root of the dimension, is a temperature.
    """
    drawing, places = Drawing(), np.arange(len(weights))
    panel = drawing.panel(
        "weights", xlim=(-0.6, len(weights) - 0.4), ylim=(0, 1), xticks=[], title="weights",
        xlabel="keys, the largest logit first")
    panel.bar(places, weights, keys=[f"weight {j}" for j in places], tell="weight")
    curve = drawing.panel(
        "keys attended", xlim=(temperatures[0], temperatures[-1]), ylim=(0, len(weights) + 0.5), xscale="log",
        xlabel="temperature $\\tau$", title="keys attended, $e^H$", xticks=[0.1, 1, 10, 100])
    curve.plot(temperatures, attended.mean(axis=1), key="mean of the draws", color=MUTED, linewidth=2.4)
    curve.plot(temperatures, attended[:, 0], key="keys attended", color=INK)
    curve.vlines(root, key="root of the dimension", color=VERMILION)
    curve.annotate("$√d_k$", (root, 0.4), key="name of root", offset=(6, 0), ha="left", color=VERMILION)
    at = np.interp(np.log(now), np.log(temperatures), attended[:, 0])
    curve.scatter([now], [at], keys=["now"], links=["keys attended"], size=60, tell=("τ", "keys attended"))
    return drawing


def prefactor_drawing(
    x: NDArray, curves: tuple[NDArray, NDArray, NDArray], y: float, errors: NDArray, degree: int, *,
    prefactor: bool,
) -> Drawing:
    """Two kernels over x at a fixed y, what the features up to `degree` give, and the errors by degree.

    `curves` holds the exponential kernel, the Gaussian one and the product of features.
    """
    drawing = Drawing()
    panel = drawing.panel(
        "kernels", xlim=(x[0], x[-1]), ylim=KERNEL_LIMITS, xlabel="$x$", title="kernels over $x$")
    styles: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("exponential", "$e^{xy}$", {"color": INK, "linewidth": 1.3}),
        ("Gaussian", "Gaussian", {"color": INK, "linewidth": 1.3, "linestyle": "--"}),
        ("features", "features", {"color": VERMILION, "linewidth": 2.4}))
    for row, (values, (name, words, style)) in enumerate(zip(curves, styles, strict=True)):
        panel.plot(x, np.clip(values, KERNEL_LIMITS[0] - 2, KERNEL_LIMITS[1] + 2), key=name, **style)
        height = KERNEL_LIMITS[1] - 0.4 - 0.5 * row
        panel.plot([-0.62, -0.3], [height, height], key=f"{name} in the key", link=name, **style)
        panel.annotate(
            words, (-0.26, height), key=f"{name} in words", offset=(2, -4), ha="left", size=12, link=name)
    panel.scatter([y], [0], keys=["y"], size=60, color=GREEN, tell={"y": np.array([y])})
    panel.annotate("$y$", (y, 0), key="name of y", offset=(0, 24), color=GREEN, link="y")
    errors_panel(drawing, errors, degree, "with the prefactor" if prefactor else "without the prefactor")
    return drawing


def errors_panel(drawing: Drawing, errors: NDArray, degree: int, words: str) -> None:
    """The largest error by degree on a logarithmic axis, cut at its foot, and the degree of now filled."""
    places, (low, high) = np.arange(len(errors)), (1e-8, 100)
    panel = drawing.panel(
        "errors", xlim=(-0.5, len(errors) - 0.5), ylim=(low, high), yscale="log", xlabel="degree",
        title="largest error", xticks=places[::2], yticks=[1e-8, 1e-6, 1e-4, 1e-2, 1, 100])
    shown = np.maximum(errors, low)
    panel.plot(places, shown, key="errors", color=MUTED, linewidth=1.3)
    panel.scatter(
        places, shown, keys=[f"degree {p}" for p in places], edgecolor=VERMILION, size=34,
        color=[VERMILION if p == degree else PAPER for p in places], tell={"largest error": errors})
    panel.annotate(words, (places[-1], 20), key="which features", offset=(0, 0), ha="right", size=12)


def tokens_drawing(
    logits: NDArray, way: NDArray, eigenvalues: NDArray, asymmetries: NDArray, now: float
) -> Drawing:
    """The logits of tokens as a heat map; along the `way` an eigenvalue of exp(logits) and its asymmetry."""
    drawing = Drawing()
    heat_map(drawing, "logits", logits, vmax=2.5, title="logits")
    panel = drawing.panel(
        "kernel?", xlim=(way[0], way[-1]), ylim=EIGENVALUE_LIMITS, xlabel="way of $W_K$",
        title="is it a kernel?")
    panel.hlines(0, key="zero", color=MUTED, linestyle=":")
    k = int(np.argmin(np.abs(way - now)))
    curves = (
        ("smallest eigenvalue", eigenvalues, BLUE, "-", EIGENVALUE_LIMITS[0] + 0.2),
        ("asymmetry", asymmetries, VERMILION, "--", EIGENVALUE_LIMITS[1] - 0.3))
    for name, values, colour, dashes, height in curves:
        panel.plot(way, np.clip(values, -3, 5), key=name, color=colour, linestyle=dashes)
        panel.scatter(
            [now], np.clip(values[k : k + 1], *EIGENVALUE_LIMITS), keys=[f"{name} now"], links=[name],
            color=colour, size=50, tell={name: values[k : k + 1]})
        panel.annotate(name, (0.5, height), key=f"name of {name}", offset=(0, 0), color=colour, link=name)
    return drawing


def positions_drawing(factor: NDArray, eigenvalues: NDArray) -> Drawing:
    """A factor of position as a heat map, and the smallest eigenvalues of its symmetric part."""
    drawing, (low, high) = Drawing(), (-0.8, 1.2)
    heat_map(drawing, "factor", factor, vmax=1, title="factor, over its maximum", every=4)
    places = np.arange(1, len(eigenvalues) + 1)
    panel = drawing.panel(
        "eigenvalues", xlim=(0.4, len(eigenvalues) + 0.6), ylim=(low, high), xticks=places,
        xlabel="from the smallest on", title="eigenvalues")
    panel.hlines(0, key="zero", color=MUTED, linestyle=":")
    panel.bar(
        places, np.clip(eigenvalues, low, high), keys=[f"eigenvalue {k}" for k in places],
        color=[VERMILION if value < 0 else BLUE for value in eigenvalues], tell={"eigenvalue": eigenvalues})
    return drawing


def spectrum_drawing(A: NDArray, eigenvalues: NDArray, symmetric: NDArray) -> Drawing:
    """An attention matrix as a heat map, its eigenvalues, and those of its symmetric part below them."""
    drawing, n = Drawing(), len(A)
    heat_map(drawing, "attention", A, vmax=1, title="attention matrix $A$")
    panel = drawing.panel("eigenvalues", xlim=(-1.5, 2.2), ylim=(0.3, 2.9), title="eigenvalues", yticks=[])
    for end in (0, 1):
        panel.vlines(end, key=f"line at {end}", color=MUTED, linestyle=":")
    rows = (("of A", eigenvalues, 2, "o", BLUE), ("of its symmetric part", symmetric, 1, "D", ORANGE))
    for name, values, row, marker, colour in rows:
        panel.scatter(
            values, np.full(n, row), keys=[f"eigenvalue {k} {name}" for k in range(n)], marker=marker,
            color=colour, edgecolor=INK, size=40, tell={"eigenvalue": values})
        panel.annotate(name, (-1.45, row + 0.32), key=name, offset=(0, 0), ha="left")
    return drawing


def heat_map(
    drawing: Drawing, name: str, values: NDArray, *, vmax: float, title: str, every: int = 1
) -> None:
    """A panel with a square matrix as a heat map, its first row at the top."""
    end, ticks = len(values) - 0.5, range(0, len(values), every)
    panel = drawing.panel(name, xlim=(-0.5, end), ylim=(end, -0.5), title=title, xticks=ticks, yticks=ticks)
    panel.image(values, key=f"heat map of the {name}", extent=(-0.5, end, end, -0.5), vmax=vmax)


@in_style
def attended_figure(dimensions: Sequence[int], shares: dict[str, NDArray], law: Sequence[float]) -> Figure:
    """The share of keys attended over the dimension: mean and spread of draws (len(dimensions), draws).

    `law` is what the mean with the scale tends to in each dimension as keys are added; it is dotted.
    """
    figure, ax = new_axes(xlabel="dimension of the keys", ylabel="share of keys attended", xscale="log")
    ax.set(ylim=(0, 0.9), xticks=dimensions, xticklabels=dimensions)
    ax.minorticks_off()
    ax.plot(dimensions, law, color=MUTED, linestyle=(0, (1, 1.6)), linewidth=1.2)
    curves = {"scaled": ("with the root", BLUE, "o"), "unscaled": ("without", VERMILION, "s")}
    for name, (words, colour, marker) in curves.items():
        mean, spread = shares[name].mean(axis=1), shares[name].std(axis=1, ddof=1)
        ax.errorbar(dimensions, mean, spread, color=colour, marker=marker, capsize=3)
        place: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "color": colour}
        ax.annotate(words, (dimensions[-1], mean[-1]), (-4, 10), **place)
    return figure


def by_hand_drawing(queries: NDArray, keys: NDArray, values: NDArray, row: int, step: str) -> Drawing:
    """Queries and keys in units of log 2, whole numbers, and the table of attention after a step.

    `queries` (n, 2), `keys` (m, 2), a whole number in `values` (m,) for each key; the query `row` is drawn.
    """
    drawing = Drawing()
    logits = queries @ keys.T
    exponentials = [[Fraction(2) ** int(a) for a in line] for line in logits]
    weights = [[e / sum(line) for e in line] for line in exponentials]
    shares = np.array(weights[row], float)
    centre = (0.8, 0.6)
    half_width = half_width_around(np.vstack([queries, keys]), 2.1, centre)
    plane = new_plane(drawing, half_width=half_width, centre=centre)
    names = [f"key {j + 1}" for j in range(len(keys))]
    discs = [f"weight on {name}" for name in names]
    plane.scatter(
        *keys.T, keys=discs, links=names, size=1400 * shares, color=BLUE, alpha=0.3, z=1,
        tell={"weight": shares})
    plane.scatter(*keys.T, keys=names, size=22, color=INK)
    for j, name in enumerate(names):
        plane.annotate(f"$k_{j + 1}$", keys[j], key=f"name of {name}", offset=(14, -18), link=name)
    plane.arrow((0, 0), queries[row], key="query", color=GREEN)
    plane.annotate(
        f"$q_{row + 1}$", queries[row], key="name of query", color=GREEN, link="query", offset=(-14, 8))
    shown = {"logits": logits.astype(int), "exponentials": exponentials}.get(step, weights)
    table = _table(drawing, np.array(shown, float), row, step)
    for i, line in enumerate(shown):
        for j, entry in enumerate(line):
            text = f"{entry}" if i == row or step == "outputs" else "·"  # others are for readers
            table.annotate(text, (j, i), key=f"entry {i + 1} {j + 1}", link="entries", offset=(0, -5))
        output = float(sum(w * int(v) for w, v in zip(weights[i], values, strict=True)))
        text = f"{output:g}" if step == "outputs" else "?"
        table.annotate(text, (len(keys), i), key=f"output {i + 1}", offset=(0, -5))
    return drawing


def _table(drawing: Drawing, entries: NDArray, row: int, step: str) -> Panel:
    """The panel of the table, coloured by its entries, with a frame around the row of the query."""
    n, m = entries.shape
    title = "logits, in units of log 2" if step == "logits" else step
    rows = {i: f"q{i + 1}".translate(SUBSCRIPTS) for i in range(n)}
    columns = {j: f"k{j + 1}".translate(SUBSCRIPTS) for j in range(m)} | {m: "output"}
    table = drawing.panel(
        "table of queries and keys", xlim=(-0.5, m + 0.5), ylim=(n - 0.5, -0.5), title=title,
        xticks=columns, yticks=rows)
    table.image(entries, key="entries", extent=(-0.5, m - 0.5, n - 0.5, -0.5), vmax=1.8 * entries.max())
    low, high = row - 0.5, row + 0.5
    table.plot(
        [-0.5, m + 0.5, m + 0.5, -0.5, -0.5], [low, low, high, high, low], key="row", color=VERMILION,
        link="query")
    return table


def hidden_factor_drawing(exponentials: NDArray, weights: NDArray) -> Drawing:
    """Three positive numbers as bars, and beside them their shares of the sum."""
    drawing, places = Drawing(), np.arange(len(weights))
    names = {j: f"k{j + 1}".translate(SUBSCRIPTS) for j in places}
    for title, numbers, top in (("what is shared out", exponentials, 40), ("weights", weights, 1)):
        panel = drawing.panel(title, xlim=(-0.6, 2.6), ylim=(0, top), title=title, xticks=names, height=200)
        panel.bar(
            places,
            numbers,
            keys=[f"{title} {j}" for j in places],
            tell=title,
            links=[f"key {j}" for j in places],
        )
    return drawing


def three_terms_drawing(
    keys: NDArray, query: NDArray, weights: NDArray, bonus: NDArray, distance: NDArray
) -> Drawing:
    """A query among keys; on the right each key's bonus, what its distance takes, and what is left."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=half_width_around(keys, 2.6))
    names = draw_keys(plane, keys, weights)
    plane.arrow((0, 0), query, key="query", color=GREEN, tell=("q₁", "q₂"))
    panel = drawing.panel(
        "terms", xlim=(-6, 3.4), ylim=(len(keys) - 0.4, -0.6), height=246, title="bonus less distance",
        yticks={j: f"{j}" for j in range(len(keys))},
    )
    panel.vlines(0, key="zero", color=MUTED, linestyle="-", linewidth=1)
    for j, name in enumerate(names):
        left = bonus[j] - distance[j]
        panel.plot([0, bonus[j]], [j - 0.14] * 2, key=f"bonus {j}", color=ORANGE, linewidth=7, link=name)
        panel.plot(
            [bonus[j], left], [j + 0.16] * 2, key=f"distance {j}", color=VERMILION, linewidth=4, link=name
        )
    panel.scatter(
        bonus - distance,
        np.arange(len(keys)),
        keys=[f"left {j}" for j in range(len(keys))],
        marker="|",
        size=200,
        color=INK,
        linewidth=3,
        links=names,
        tell={"logit less ½|q|²": bonus - distance},
    )
    return drawing


def twelve_drawing(X: NDArray, y: NDArray, row: int, softmax: NDArray, gaussian: NDArray) -> Drawing:
    """Points `X` (n, 2) with labels `y` as tokens, as large as the weight that token `row` gives to each."""
    drawing, keys = Drawing(), point_keys(len(X))
    plane = new_plane(drawing, half_width=half_width_around(X, 3.2))
    colours = [CLASS_COLOURS[int(label)] for label in y]
    plane.arrow((0, 0), X[row], key="query", color=GREEN, tell=("q₁", "q₂"))
    with plane.aside("mean"):
        plane.arrow((0, 0), softmax @ X, key="weighted mean", color=BLUE)
    plane.scatter(
        *X.T, keys=keys, size=30 + 900 * softmax, marker=[CLASS_MARKERS[int(label)] for label in y],
        color=[colour if i == row else PAPER for i, colour in enumerate(colours)], edgecolor=colours,
        tell={"weight": softmax})
    for i, key in enumerate(keys):
        plane.annotate(f"{i}", X[i], key=f"name {i}", size=12, link=key)
    shares_panel(drawing, softmax, gaussian, keys, title="weight of each token")
    return drawing


def letter_keys(text: str) -> list[str]:
    """The names of the letters as marks."""
    return [f"letter {place}" for place in range(len(text))]


def head_drawing(
    text: str, row: int, weights: NDArray, prior: NDArray, temperatures: NDArray, attended: NDArray,
    now: float,
) -> Drawing:
    """A text whose letter `row` asks, discs as large as its `weights`, and the keys attended by temperature.

    Letters that may not be asked have the weight 0 in `weights` and in `prior` (n,). The keys attended by the
    last letters of the text, `row` among them, are the columns of `attended` (len(temperatures), letters).
    """
    drawing = Drawing()
    panel, places = _text_panel(drawing, text)
    asks = [places[0][row]], [places[1][row]]
    frame: dict[str, Any] = {"marker": "s", "color": PAPER, "edgecolor": GREEN, "linewidth": 2.4}
    panel.scatter(*asks, keys=["query"], size=260, z=1, **frame)
    names, sizes = letter_keys(text), LARGEST * weights
    panel.scatter(*places, keys=names, size=sizes, alpha=0.5, tell={"weight": weights}, z=2)
    with panel.aside("prior"):
        rings: dict[str, Any] = {"color": PAPER, "edgecolor": VERMILION, "links": names, "z": 1.5}
        panel.scatter(*places, keys=[f"prior of {name}" for name in names], size=LARGEST * prior, **rings)
    _attended_panel(drawing, row - len(text), temperatures, attended, now)
    return drawing


def _text_panel(drawing: Drawing, text: str) -> tuple[Panel, tuple[NDArray, NDArray]]:
    """A panel with a text in lines, and the places of its letters; spaces are dots."""
    lines = -(-len(text) // ACROSS)
    settings: dict[str, Any] = {"xticks": [], "yticks": [], "height": 150, "frame": False}
    panel = drawing.panel("text", xlim=(-0.7, ACROSS - 0.3), ylim=(lines - 0.3, -0.7), **settings)
    rows, columns = np.divmod(np.arange(len(text)), ACROSS)
    for letter, name, at in zip(text, letter_keys(text), zip(columns, rows, strict=True), strict=True):
        shown = "·" if letter == " " else letter
        panel.annotate(shown, at, key=f"name of {name}", offset=(0, -5), size=14, link=name)
    return panel, (columns, rows)


def _attended_panel(
    drawing: Drawing, column: int, temperatures: NDArray, attended: NDArray, now: float
) -> None:
    """The keys attended over the temperatures: by the letter that asks, and on average."""
    panel = drawing.panel(
        "keys attended", xlim=(temperatures[0], temperatures[-1]), ylim=(0, attended.max() + 1), xscale="log",
        xlabel="temperature $\\tau$", title="keys attended, $e^H$")
    panel.plot(temperatures, attended.mean(axis=1), key="mean of the letters", color=MUTED, linewidth=2.4)
    panel.plot(temperatures, attended[:, column], key="keys attended", color=INK)
    at = np.interp(np.log(now), np.log(temperatures), attended[:, column])
    panel.scatter([now], [at], keys=["now"], links=["keys attended"], size=60, tell=("τ", "keys attended"))
