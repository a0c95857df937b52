"""Asides of the figure of the twelve tokens: its head, scores, averages and weights of attention.

(book: Attention converges to an SVM)
"""

import numpy as np
from numpy.typing import NDArray

from explorable import Panel
from explorable.palette import GREEN, INK

MEANINGS = {
    "head": "the head v: the score of a token is its place along v, times its label",
    "scores": "the scores of the tokens",
    "average": "dashed: the average of each sequence's scores, weighted by attention; tokens that score "
    "above pull (+), those below push (−), and the larger the sign, the more",
    "weights": "the weights: the share of attention of each token",
}
FAINT = 0.004  # pulls below are not drawn


def draw_asides(
    plane: Panel, tokens: NDArray, weights: NDArray, scores: NDArray, head: NDArray, colours: list[str]
) -> None:
    """All asides on the plane of the tokens.

    `tokens` (n, 2), `weights` (k, n / k) and `scores` (k, n / k) of k sequences, each with its colour.
    """
    _draw_head(plane, head)
    _draw_numbers(plane, "scores", tokens, [f"{score:.1f}" for score in scores.ravel()], GREEN)
    percent = [f"{share:.0%}" for share in weights.ravel()]
    _draw_numbers(plane, "weights", tokens, percent, INK)
    average = (weights * scores).sum(axis=1)  # (k,)
    pulls = weights * (scores - average[:, None])
    with plane.aside("average"):
        for number, (level, colour) in enumerate(zip(average, colours, strict=True)):
            sign = np.sign(scores[number] @ (tokens.reshape(*scores.shape, 2)[number] @ head))
            _draw_level(plane, number, sign * level, head, colour)
        _draw_pulls(plane, tokens, pulls.ravel(), np.repeat(colours, scores.shape[1]).tolist())


def _draw_head(plane: Panel, head: NDArray) -> None:
    """The direction of the head with its name."""
    along = 3 * head / np.linalg.norm(head)
    with plane.aside("head"):
        plane.arrow(-along, along, key="head", color=GREEN, linewidth=1.4)
        plane.annotate("$v$", along, key="head name", offset=(9, -3), color=GREEN, link="head")


def _draw_numbers(plane: Panel, name: str, tokens: NDArray, texts: list[str], colour: str) -> None:
    """A number below each token."""
    with plane.aside(name):
        for number, (token, text) in enumerate(zip(tokens, texts, strict=True)):
            key = f"{name} of token {number}"
            plane.annotate(text, token, key=key, offset=(0, -24), size=12, color=colour)


def _draw_level(plane: Panel, number: int, level: float, head: NDArray, colour: str) -> None:
    """The line on which <v, x> has the value `level`, near where it crosses the head."""
    foot = level * head / (head @ head)
    across = 1.5 * np.array([-head[1], head[0]]) / np.linalg.norm(head)
    ends = np.array([foot - across, foot + across])
    plane.plot(*ends.T, key=f"average of sequence {number}", color=colour, linestyle="--")


def _draw_pulls(plane: Panel, tokens: NDArray, pulls: NDArray, colours: list[str]) -> None:
    """A plus on each token that pulls, a minus on each that pushes; both larger for more."""
    for number, (token, pull, colour) in enumerate(zip(tokens, pulls, colours, strict=True)):
        if abs(pull) < FAINT:
            continue
        size, key = 40 + 500 * min(abs(pull), 0.5), f"average and sign of token {number}"
        if pull > 0:
            plane.scatter(*token[:, None], keys=[key], marker="P", size=size, color=colour, z=6)
        else:
            plane.annotate("−", token, key=key, offset=(-12, -6), size=13 + 12 * min(abs(pull), 0.5), z=6)
