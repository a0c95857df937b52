"""Figures of the tokens of the attention SVM in the plane: attention, directions of queries, streets.

(book: Attention converges to an SVM)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, PAPER, SKY, VERMILION
from margins.attention_svm import AttentionSVM
from margins_book.drawing.planes import HELD_NAME_OFFSET, level_ends, new_plane, point_keys

SEQUENCES = (("circles", "o", BLUE), ("squares", "s", VERMILION))
COLOURS = [colour for *_, colour in SEQUENCES]
PATHS = ((GREEN, "-"), (VERMILION, "--"), (BLUE, "-."))  # of W, with a token on the edge, of K and Q


def trajectory_drawing(
    tokens: NDArray,
    weights: NDArray,
    towards: NDArray,
    rays: NDArray,
    steps: NDArray | Sequence[float],
    angles: NDArray,
    now: int,
    *,
    best: NDArray | Sequence[int],
) -> Drawing:
    """Tokens with their attention, where each query is sent, and the angle of W to its machine over `steps`.

    `towards` and `rays` (2, 2) hold W z_i in their columns, trained and of the machine; `angles` are in
    degrees; `now` is a place in `steps`, -1 before the first of them; `best` are the numbers of the tokens
    with the highest scores.
    """
    drawing = Drawing()
    _tokens_panel(drawing, tokens, weights, towards, rays, best)
    _angle_panel(drawing, steps, angles, now)
    return drawing


def path_drawing(
    tokens: NDArray,
    weights: NDArray,
    towards: NDArray,
    rays: NDArray,
    reaches: NDArray | Sequence[float],
    lags: dict[str, NDArray],
    shown: str,
    now: int,
    *,
    best: NDArray | Sequence[int],
) -> Drawing:
    """The regularisation path named `shown` at place `now` of `reaches`, R Gamma.

    Left as in `trajectory_drawing`; right R times the distance of W_R / R from its limit, a curve for each
    path of `lags`.
    """
    drawing = Drawing()
    _tokens_panel(drawing, tokens, weights, towards, rays, best)
    panel = drawing.panel(
        "lag", xlim=(1, reaches[-1]), ylim=(-2, 14), yticks=[0, 5, 10], xscale="log", xlabel="R Γ",
        title="R times the distance from the limit", xticks=[1, 10, 100, 1000, 10_000],
    )  # fmt: skip
    for (name, values), (colour, dashes) in zip(lags.items(), PATHS, strict=True):
        key, pale = f"lag of {name}", 1 if name == shown else 0.5
        panel.plot(reaches, values, key=key, color=colour, linestyle=dashes, alpha=pale)
        panel.annotate(
            name, (reaches[-1], values[-1]), key=f"name of {key}", color=colour, link=key, ha="right",
            offset=(-4, -18 if values[-1] < 1 else 8),
        )  # fmt: skip
    panel.scatter(
        [reaches[now]], [lags[shown][now]], keys=["now"], color=INK, tell=("R Γ", "R times the distance")
    )
    return drawing


def _tokens_panel(
    drawing: Drawing,
    tokens: NDArray,
    weights: NDArray,
    towards: NDArray,
    rays: NDArray,
    best: NDArray | Sequence[int],
) -> None:
    """The tokens with their attention, rings around the `best`, and arrows and rays of both queries."""
    plane = new_plane(drawing, "tokens")
    _draw_attention(plane, tokens, weights)
    plane.scatter(
        *tokens[list(best)].T, keys=[f"ring of token {k}" for k in best], size=110, color=PAPER, z=1,
        edgecolor=INK, links=[f"token {k}" for k in best],
    )  # fmt: skip
    for i, (name, _, colour) in enumerate(SEQUENCES):
        ray = rays[:, i] / np.linalg.norm(rays[:, i])
        plane.plot(*np.array([[0, 0], 3.1 * ray]).T, key=f"ray of {name}", color=colour, linestyle=":")
        if towards.any():
            arrow = 1.9 * towards[:, i] / np.linalg.norm(towards[:, i])
            plane.arrow((0, 0), arrow, key=name, color=colour, linewidth=3)


def column_angles(towards: NDArray, rays: NDArray) -> NDArray:
    """The angles in degrees between the columns of two matrices, 90 where a column is zero."""
    lengths = np.linalg.norm(towards, axis=0) * np.linalg.norm(rays, axis=0)
    cosines = (towards * rays).sum(axis=0) / np.where(lengths > 0, lengths, 1)
    return np.degrees(np.arccos(np.clip(cosines, -1, 1)))


def _draw_attention(plane: Panel, tokens: NDArray, weights: NDArray) -> None:
    """Both sequences, a disc behind each token as large as its attention."""
    keys = point_keys(len(tokens), "token")
    half = len(tokens) // 2
    styles = [SEQUENCES[i // half] for i in range(len(tokens))]
    plane.scatter(
        *tokens.T, keys=[f"attention on {key}" for key in keys], links=keys, size=900 * weights + 1e-3,
        color=[colour for *_, colour in styles], alpha=0.3, z=1,
    )  # fmt: skip
    plane.scatter(
        *tokens.T, keys=keys, size=26, marker=[marker for _, marker, _ in styles],
        color=[colour for *_, colour in styles], tell={"attention": weights},
    )  # fmt: skip
    for key, token, i in zip(keys, tokens, range(len(tokens)), strict=True):
        plane.annotate(f"{i}", token, key=f"name of {key}", offset=(10, 5), size=12, link=key)


def _angle_panel(drawing: Drawing, steps: NDArray | Sequence[float], angles: NDArray, now: int) -> None:
    """The angle in degrees over the steps on logarithmic axes, pale after the place `now`."""
    panel = drawing.panel(
        "angle", xlim=(1, steps[-1]), ylim=(0.5, 180), xscale="log", yscale="log", xlabel="training steps",
        title="angle of W to its machine, degrees", xticks=[1, 10, 100, 1000], yticks=[1, 10, 100],
    )  # fmt: skip
    panel.plot(steps, angles, key="angle to come", color=GREEN, alpha=0.4, linewidth=1.3)
    if now >= 0:
        panel.plot(steps[: now + 1], angles[: now + 1], key="angle so far", color=GREEN)
        panel.scatter(
            [steps[now]], [angles[now]], keys=["now"], color=GREEN, tell=("step", "angle in degrees")
        )


def multipliers_of(machine: AttentionSVM) -> NDArray:
    """The multipliers of a machine laid out like its tokens (n T,), 0 where there is none."""
    constrained = ~np.isposinf(machine.margins)  # (n, T)
    values = np.zeros(constrained.shape)
    values[constrained] = np.nan_to_num(machine.multipliers)
    return values.ravel()


def is_corner(tokens: NDArray, chosen: int) -> bool:
    """Whether some line through a token of the plane has all others strictly on one side."""
    others = np.delete(tokens, chosen, axis=0) - tokens[chosen]
    ways = np.sort(np.arctan2(others[:, 1], others[:, 0]))
    gaps = np.diff(ways, append=ways[0] + 2 * np.pi)
    return bool(others.any(axis=1).all() and gaps.max() > np.pi + 1e-9)


def streets_drawing(tokens: NDArray, machine: AttentionSVM, queries: NDArray, *, held: int) -> Drawing:
    """The two streets of an attention SVM, a panel a sequence, and the multipliers of all tokens.

    Without a solution the tokens stand alone. `held` is the token that the reader holds.
    """
    drawing, weights = Drawing(), multipliers_of(machine)
    for i, (name, _, colour) in enumerate(SEQUENCES):
        plane = new_plane(drawing, name, half_width=2.6, centre=((1.3, 0.3), (-1.4, -0.3))[i])
        if machine.feasible:
            chosen = len(tokens) // 2 * i + machine.margins[i].argmax()
            _draw_lane(plane, name, machine.W @ queries[i], tokens[chosen], colour)
        _draw_sequence(plane, i, tokens, weights, np.isposinf(machine.margins[i]), held)
    _multipliers_panel(drawing, weights)
    return drawing


def _draw_sequence(
    plane: Panel, i: int, tokens: NDArray, weights: NDArray, chosen: NDArray, held: int
) -> None:
    """The tokens of sequence i, filled where they are `chosen` or support, as large as their multipliers."""
    half, (_, marker, colour) = len(tokens) // 2, SEQUENCES[i]
    own, largest = range(i * half, (i + 1) * half), max(weights.max(), 1e-300)
    share = weights[list(own)] / largest
    keys = [f"token {k}" for k in own]
    plane.scatter(
        *tokens[list(own)].T, keys=keys, marker=marker, size=26 + 190 * np.sqrt(share), tell=("x₁", "x₂"),
        color=[colour if s > 1e-6 or c else PAPER for s, c in zip(share, chosen, strict=True)],
        edgecolor=[INK if s > 1e-6 else colour for s in share],
    )  # fmt: skip
    for k, key in zip(own, keys, strict=True):
        place = HELD_NAME_OFFSET if k == held or weights[k] > 0 else (11, 6)
        plane.annotate(f"{k}", tokens[k], key=f"name of {key}", size=12, link=key, offset=place)


def _draw_lane(plane: Panel, name: str, w: NDArray, chosen: NDArray, colour: str) -> None:
    """The street between the level of the chosen token and the level 1 below it, across w = W z."""
    top = level_ends(plane, w, -w @ chosen, 0)
    foot = level_ends(plane, w, -w @ chosen, -1)
    plane.fill(*np.concatenate([top, foot[::-1]]).T, key=f"street of {name}", color=SKY)
    plane.plot(*top.T, key=f"level of the chosen of {name}", color=colour, linewidth=1.5, z=1)
    plane.plot(
        *foot.T, key=f"level of the others of {name}", color=colour, linestyle="--", linewidth=1.5, z=1
    )


def _multipliers_panel(drawing: Drawing, weights: NDArray) -> None:
    """A bar for the multiplier of each token."""
    count, half = len(weights), len(weights) // 2
    top = 12.0
    panel = drawing.panel(
        "multipliers", xlim=(0, top), ylim=(count - 0.4, -0.6), title="multipliers $\\lambda$",
        yticks={i: f"{i}" for i in range(count)},
    )  # fmt: skip
    keys = point_keys(count, "token")
    panel.barh(
        range(count), np.minimum(weights, top), keys=[f"bar of {key}" for key in keys], links=keys,
        color=[SEQUENCES[i // half][2] for i in range(count)], tell={"λ": weights},
    )  # fmt: skip
    for i in np.flatnonzero(weights > top).tolist():
        panel.annotate(
            f"{weights[i]:.0f}", (top, i), key=f"value {i}", offset=(-4, -4), ha="right", color=INK,
            size=12, link=keys[i],
        )  # fmt: skip
