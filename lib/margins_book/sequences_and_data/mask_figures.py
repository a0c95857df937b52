"""Figures of masked queries: the tokens of one query with its machine, and a layer as small problems.

(book: Sequences, causality, depth and real data)
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, PAPER, VERMILION
from explorable.style import WIDTH, in_style
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, level_ends, new_plane
from margins_book.sequences_and_data.drawings import position_keys, weights_panel

if TYPE_CHECKING:  # matplotlib takes long to load, and a built page that runs Python has none
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

THIN: dict[str, Any] = {"linewidth": 1.3}
SMALL: dict[str, Any] = {"fontsize": 13}  # the least that is legible on a narrow phone
ASIDES = {
    "head": "the head v: the score of a token is its inner product with v, times the label of "
    "the token that asks",
    "scores": "the scores of the tokens that are seen",
}


def triangle_drawing(
    tokens: NDArray,
    labels: NDArray,
    seen: tuple[NDArray, NDArray, NDArray],
    asked: int,
    directions: tuple[NDArray, NDArray],
    head: NDArray,
) -> Drawing:
    """The tokens as the query at `asked` sees them, and the weights (T, T) of all queries.

    `seen` are the weights, which tokens are allowed, and the scores, all (T, T) with a row for each query;
    `directions` are W x of that query, trained and of the machine. A query that sees itself alone has no ray
    and no hyperplane.
    """
    weights, allowed, scores = (table[asked] for table in seen)
    towards, ray = directions
    drawing, names = Drawing(), position_keys(len(tokens))
    plane = new_plane(drawing, "tokens", half_width=3.4)
    _attended(plane, tokens, labels, weights, allowed, asked)
    if towards.any():
        plane.arrow((0, 0), 1.7 * towards / np.linalg.norm(towards), key="query", color=GREEN, linewidth=3)
    if ray.any() and allowed.sum() > 1:
        _hyperplanes(plane, tokens, allowed, ray, int(np.where(allowed, scores, -np.inf).argmax()))
    with plane.aside("head"):
        along = 3 * head / np.linalg.norm(head)
        plane.arrow(-along, along, key="head", color=INK, linewidth=1.4)
        plane.annotate("$v$", along, key="head name", offset=(9, -3), link="head")
    with plane.aside("scores"):
        for t in np.flatnonzero(allowed):
            plane.annotate(
                f"{scores[t]:.1f}",
                tokens[t],
                key=f"score of {names[t]}",
                offset=(0, -24),
                size=12,
                link="scores",
            )
    weights_panel(drawing, "all queries", seen[0], seen[1], asked=asked, title="attention of all queries")
    return drawing


def _attended(
    plane: Panel, tokens: NDArray, labels: NDArray, weights: NDArray, allowed: NDArray, asked: int
) -> None:
    """Discs as large as the attention, hidden tokens hollow, a ring around the token that asks."""
    names = position_keys(len(tokens))
    colours = [CLASS_COLOURS[int(y)] for y in labels]
    plane.scatter(
        *tokens.T, keys=[f"attention on {n}" for n in names], links=["attention"] * len(names),
        size=900 * weights + 1e-3, color=colours, alpha=0.3, z=1,
    )  # fmt: skip
    plane.scatter(
        *tokens.T, keys=names, size=34, marker=[CLASS_MARKERS[int(y)] for y in labels], edgecolor=colours,
        color=[c if a else PAPER for c, a in zip(colours, allowed, strict=True)], tell={"attention": weights},
    )  # fmt: skip
    plane.scatter(
        *tokens[asked][:, None], keys=["the one that asks"], size=170, color=PAPER, edgecolor=INK,
        linewidth=2, z=0.5,
    )  # fmt: skip
    for t, token in enumerate(tokens):
        plane.annotate(f"{t + 1}", token, key=f"name {t + 1}", offset=(12, 6), link=names[t])


def _hyperplanes(plane: Panel, tokens: NDArray, allowed: NDArray, ray: NDArray, best: int) -> None:
    """The lines across the machine's ray through the best token and through the next one."""
    unit = ray / np.linalg.norm(ray)
    along = np.where(allowed, tokens @ unit, -np.inf)
    next_best = np.delete(along, best).max()
    plane.plot(*np.array([[0, 0], 3 * unit]).T, key="ray", color=GREEN, linestyle=":")
    for level, name, dashes in ((along[best], "margin", "--"), (next_best, "edge of the others", ":")):
        plane.plot(*level_ends(plane, unit, 0, level).T, key=name, color=MUTED, linestyle=dashes, **THIN)


@in_style
def six_problems_figure(sequences: NDArray, labels: NDArray, head: NDArray) -> "Figure":
    """The problems of two sequences of three tokens under a causal mask: a row each.

    Arrows lead to the best token from the other tokens that are seen; a thick line is the query.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 3.3))
    figure.subplots_adjust(left=0.02, right=0.98, bottom=0.02, top=0.9, wspace=0.08, hspace=0.3)
    axes = figure.subplots(2, 3)
    for i, k in np.ndindex(2, 3):
        _small_problem(axes[i, k], sequences[i, : k + 1], float(labels[i, k]), head)
    return figure


def _small_problem(axes: "Axes", tokens: NDArray, label: float, head: NDArray) -> None:
    """The prefix whose last token asks: its tokens with their numbers, its best token, its query."""
    asks, best = tokens[-1], int((label * tokens @ head).argmax())
    sign = "+" if label > 0 else "−"
    axes.set(xlim=(-4.3, 4.3), ylim=(-1.6, 4.4), xticks=[], yticks=[], aspect="equal")
    axes.set_title(f"{len(tokens)} asks, label {sign}", **SMALL)
    axes.plot(*np.array([[0, 0], asks]).T, color=GREEN, linewidth=4, alpha=0.4)
    axes.plot(0, 0, "+", color=MUTED)
    for number, token in enumerate(tokens):
        colour = CLASS_COLOURS[int(label)]
        axes.plot(*token, "o", color=colour, markersize=5)
        axes.annotate(f"{number + 1}", token, (4, 4), textcoords="offset points", **SMALL)
        if number != best:
            arrow = {"arrowstyle": "->", "color": VERMILION if label < 0 else BLUE, "linewidth": 1.4}
            axes.annotate("", tokens[best], token, arrowprops=arrow)
    axes.plot(*tokens[best], "o", markersize=11, fillstyle="none", color=INK)
