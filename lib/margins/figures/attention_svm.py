"""The drawings of the chapter on the attention SVM, each from plain arrays: those that move, then one still.

(book: Attention converges to an SVM)
"""

import numpy as np

from margins.explore import Drawing
from margins.figures.palette import BLUE, GREEN, INK, MUTED, PAPER, SKY, VERMILION
from margins.figures.planes import HAND, level_ends, new_plane, point_keys
from margins.figures.style import in_style, new_axes

SEQUENCES = (("circles", "o", BLUE), ("squares", "s", VERMILION))


def trajectory_drawing(tokens, weights, towards, rays, steps, angles, now):
    """Tokens with their attention, where each query is sent, and the angle of W to its machine over `steps`.

    `towards` and `rays` (2, 2) hold W z_i in their columns, trained and of the machine; `now` is a place in
    `steps`, -1 before the first of them.
    """
    drawing = Drawing()
    plane = new_plane(drawing, "tokens")
    _draw_attention(plane, tokens, weights)
    for i, (name, _, colour) in enumerate(SEQUENCES):
        ray = rays[:, i] / np.linalg.norm(rays[:, i])
        plane.plot(*np.array([[0, 0], 3.1 * ray]).T, key=f"ray of {name}", color=colour, linestyle=":")
        if towards.any():
            arrow = 1.9 * towards[:, i] / np.linalg.norm(towards[:, i])
            plane.arrow((0, 0), arrow, key=name, color=colour, linewidth=3)
    _angle_panel(drawing, steps, angles, now)
    return drawing


def _draw_attention(plane, tokens, weights):
    """Both sequences, a disc behind each token as large as its attention."""
    keys = point_keys(len(tokens), "token")
    half = len(tokens) // 2
    looks = [SEQUENCES[i // half] for i in range(len(tokens))]
    plane.scatter(
        *tokens.T, keys=[f"attention on {key}" for key in keys], links=keys, size=900 * weights + 1e-3,
        color=[colour for *_, colour in looks], alpha=0.3, z=1,
    )  # fmt: skip
    plane.scatter(
        *tokens.T, keys=keys, size=26, marker=[marker for _, marker, _ in looks], tell={"attention": weights},
        color=[colour for *_, colour in looks],
    )  # fmt: skip
    for key, token, i in zip(keys, tokens, range(len(tokens)), strict=True):
        plane.annotate(f"{i}", token, key=f"name of {key}", offset=(10, 5), size=12, link=key)


def _angle_panel(drawing, steps, angles, now):
    """The angle over the steps on logarithmic axes, pale where training has yet to go."""
    panel = drawing.panel(
        "angle", xlim=(1, steps[-1]), ylim=(0.01, 3), xscale="log", yscale="log", xlabel="training steps",
        title="angle of W to its machine", xticks=[1, 10, 100, 1000], yticks=[0.01, 0.1, 1],
    )  # fmt: skip
    panel.plot(steps, angles, key="angle to come", color=GREEN, alpha=0.4, linewidth=1.3)
    if now >= 0:
        panel.plot(steps[: now + 1], angles[: now + 1], key="angle so far", color=GREEN)
        panel.scatter([steps[now]], [angles[now]], keys=["now"], color=GREEN, tell=("step", "angle"))


def multipliers_of(machine):
    """The multipliers of a machine laid out like its tokens (n T,), 0 where there is none."""
    constrained = ~np.isposinf(machine.margins)  # (n, T)
    values = np.zeros(constrained.shape)
    values[constrained] = np.nan_to_num(machine.multipliers)
    return values.ravel()


def streets_drawing(tokens, machine, queries, *, held):
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


def _draw_sequence(plane, i, tokens, weights, chosen, held):
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
        place = HAND if k == held or weights[k] > 0 else (11, 6)
        plane.annotate(f"{k}", tokens[k], key=f"name of {key}", size=12, link=key, offset=place)


def _draw_lane(plane, name, w, chosen, colour):
    """The street between the level of the chosen token and the level 1 below it, across w = W z."""
    top = level_ends(plane, w, -w @ chosen, 0)
    foot = level_ends(plane, w, -w @ chosen, -1)
    plane.fill(*np.concatenate([top, foot[::-1]]).T, key=f"street of {name}", color=SKY)
    plane.plot(*top.T, key=f"level of the chosen of {name}", color=colour, linewidth=1.5, z=1)
    plane.plot(
        *foot.T, key=f"level of the others of {name}", color=colour, linestyle="--", linewidth=1.5, z=1
    )


def _multipliers_panel(drawing, weights):
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
    for i in np.flatnonzero(weights > top):
        panel.annotate(
            f"{weights[i]:.0f}", (top, i), key=f"value {i}", offset=(-4, -4), ha="right", color=INK,
            size=12, link=keys[i],
        )  # fmt: skip


def limits_drawing(shares, marks, reaches, distances, now):
    """Singular values of K Q'/R beside those of the candidates for its limit, and the distances from both.

    `marks` and `distances` hold an array for each divisor by name; `now` is a place in `reaches`.
    """
    drawing, places = Drawing(), np.arange(len(shares))
    bars = drawing.panel(
        "singular values", xlim=(-0.6, len(shares) - 0.4), ylim=(0, 1), title="singular values of $KQ'/R$",
        xticks={k: f"{k + 1}" for k in places}, xlabel="number",
    )  # fmt: skip
    bars.bar(places, shares, keys=[f"value {k + 1}" for k in places], tell="value", color=SKY)
    for (name, values), (colour, _, marker) in zip(marks.items(), DIVISORS, strict=True):
        bars.scatter(
            places, values, keys=[f"{name} {k + 1}" for k in places], marker=marker, color=colour, size=60,
            edgecolor=INK, tell={"value": values},
        )  # fmt: skip
    panel = drawing.panel(
        "distances", xlim=(reaches[0], reaches[-1]), ylim=(1e-4, 1), xscale="log", yscale="log", xlabel="R Γ",
        title="distance from the SVM divided by its", xticks=[10, 100, 1000],
        yticks=[1e-4, 1e-3, 1e-2, 0.1, 1],
    )  # fmt: skip
    for (name, values), (colour, dashes, _) in zip(distances.items(), DIVISORS, strict=True):
        panel.plot(reaches, values, key=name, color=colour, linestyle=dashes)
        panel.scatter(
            [reaches[now]], [values[now]], keys=[f"{name} now"], links=[name], color=colour,
            tell=("R Γ", "distance"),
        )  # fmt: skip
        panel.annotate(
            f"{name} norm", (reaches[5], values[5]), key=f"name of {name}", color=colour, link=name,
            offset=(-8, -20) if name == "nuclear" else (0, 9), ha="right" if name == "nuclear" else "left",
        )  # fmt: skip
    return drawing


DIVISORS = ((BLUE, "-", "D"), (VERMILION, "--", "x"))


def spectra_drawing(spectra):
    """The singular values of each trained matrix in units of the largest, with those of its machine.

    `spectra` holds a pair of arrays by name: W, or KQ for the product of keys and queries.
    """
    drawing = Drawing()
    titles = {"W": "W", "KQ": "$KQ'$"}
    for (name, (found, goal)), colour in zip(spectra.items(), (BLUE, VERMILION), strict=True):
        places = np.arange(len(found))
        panel = drawing.panel(
            titles[name], xlim=(-0.6, len(found) - 0.4), ylim=(0, 1.05),
            title=f"singular values of {titles[name]}", xticks={k: f"{k + 1}" for k in places},
        )  # fmt: skip
        panel.bar(places, found, keys=[f"value {k + 1}" for k in places], tell="value", color=colour)
        panel.scatter(
            places, goal, keys=[f"SVM {k + 1}" for k in places], marker="D", color=PAPER, edgecolor=INK,
            size=40, tell={"SVM": goal},
        )  # fmt: skip
    return drawing


RUNS = {"stable": (BLUE, "-"), "textbook": (VERMILION, "--")}


def trap_drawing(steps, angles, sums, now):
    """The angle of two runs to the machine over `steps`, and what the textbook pulls add up to."""
    drawing = Drawing()
    settings = {"xlim": (steps[0], steps[-1]), "xscale": "log", "xlabel": "training steps", "yscale": "log"}
    panel = drawing.panel(
        "angle", ylim=(1e-3, 3), title="angle to the attention SVM", yticks=[1e-3, 1e-2, 0.1, 1], **settings
    )
    for name, (colour, dashes) in RUNS.items():
        _draw_progress(panel, name, steps, angles[name], now, colour, dashes)
    for name, at, offset, side in (
        ("textbook", (steps[-1], 0.13), (-4, 0), "right"),
        ("stable", (steps[0], 1e-2), (8, 0), "left"),
    ):
        look = {"color": RUNS[name][0], "offset": offset, "ha": side, "link": name}
        panel.annotate(f"{name} gradient", at, key=f"name of {name}", **look)
    balance = drawing.panel(
        "sum of pulls", ylim=(1e-17, 10), title="sum of the textbook pulls",
        yticks=[1e-16, 1e-12, 1e-8, 1e-4, 1], **settings,
    )  # fmt: skip
    _draw_progress(balance, "sum", steps, np.maximum(sums, 1e-17), now, VERMILION, "--")
    return drawing


def _draw_progress(panel, name, steps, values, now, colour, dashes):
    """A curve, pale where it has yet to go, and a dot where it is."""
    look = {"color": colour, "linestyle": dashes}
    panel.plot(steps, values, key=f"{name} to come", link=name, alpha=0.4, linewidth=1.3, **look)
    panel.plot(steps[: now + 1], values[: now + 1], key=name, **look)
    panel.scatter([steps[now]], [values[now]], keys=[f"{name} now"], links=[name], color=colour,
                  tell=("step", "value"))  # fmt: skip


NORMALISED = {"exp": (BLUE, "o", 2.0), "softplus": (VERMILION, "s", 1.6)}


def shift_drawing(tokens, ways, aims, attention):
    """A sequence and where two normalisers send its query: `ways` trained, `aims` of the machines or None.

    Token 0 is the best one; `attention` is what it gets.
    """
    drawing, keys = Drawing(), point_keys(len(tokens), "token")
    plane = new_plane(drawing, "tokens", half_width=3.0)
    plane.scatter([0], [0], keys=["origin"], marker="+", color=MUTED, size=60)
    plane.scatter(
        *tokens.T, keys=keys, size=[70, *[30] * (len(tokens) - 1)], tell=("x₁", "x₂"),
        color=[GREEN, *[INK] * (len(tokens) - 1)],
    )  # fmt: skip
    plane.annotate(
        "best", tokens[0], key="name of token 0", color=GREEN, offset=(10, 4), ha="left", link="token 0"
    )
    for name, (colour, _, length) in NORMALISED.items():
        if aims[name] is not None:
            ray = 2.5 * aims[name] / np.linalg.norm(aims[name])
            plane.plot(
                *np.array([[0, 0], ray]).T, key=f"machine of {name}", color=colour, linestyle=":", link=name
            )
        tip = length * ways[name] / np.linalg.norm(ways[name])
        plane.arrow((0, 0), tip, key=name, color=colour, linewidth=3)
        plane.annotate(name, tip, key=f"name of {name}", color=colour, link=name)
    bars = drawing.panel(
        "attention", xlim=(0, 1), ylim=(1.6, -0.6), height=110, title="attention to the best token",
        yticks=[],
    )  # fmt: skip
    for place, (name, (colour, *_)) in enumerate(NORMALISED.items()):
        bars.barh(
            [place], [attention[name]], keys=[f"attention of {name}"], links=[name], color=colour,
            tell="attention",
        )  # fmt: skip
        bars.annotate(
            name, (0, place), key=f"name of {name}", color=INK, offset=(6, -5), ha="left", link=name
        )
    return drawing


@in_style
def ranks_figure(dimensions, ranks):
    """Mean ranks over the dimension with 95 % intervals; `ranks` holds arrays (dimensions, problems)."""
    figure, ax = new_axes(3.4, xlabel="dimension d", ylabel="mean rank")
    ax.set(ylim=(0, 11.5), xlim=(4, 21), xticks=dimensions)
    looks = ((BLUE, "o", "-", 8), (GREEN, "s", "-", 8), (VERMILION, "^", "--", -48))
    for (name, counts), (colour, marker, dashes, above) in zip(ranks.items(), looks, strict=True):
        errors = 1.96 * counts.std(axis=1, ddof=1) / np.sqrt(counts.shape[1])
        means = counts.mean(axis=1)
        ax.errorbar(dimensions, means, errors, color=colour, marker=marker, linestyle=dashes, capsize=3)
        text = {"textcoords": "offset points", "ha": "right", "color": colour}
        ax.annotate(name, (dimensions[-1], means[-1]), (0, above), **text)
    return figure
