"""The drawings of the chapter on nonlinear heads and the generalised SVM, each from plain arrays.

(book: Nonlinear heads and the generalised SVM)
"""

import numpy as np

from margins.explore import Drawing
from margins.figures.palette import BLUE, GREEN, INK, MUTED, ORANGE, PALETTE, SKY, VERMILION
from margins.figures.planes import level_ends, new_plane


def token_keys(count):
    """What the tokens are called, in every panel the same; the first is token 1."""
    return [f"token {t + 1}" for t in range(count)]


def shares_panel(drawing, weights, wanted):
    """A bar of attention a token, and a diamond at the share that the head wants it to have."""
    count, names = len(weights), token_keys(len(weights))
    panel = drawing.panel(
        "attention", xlim=(-0.6, count - 0.4), ylim=(0, 1), xlabel="token", title="attention $s_t$",
        xticks={t: f"{t + 1}" for t in range(count)},
    )  # fmt: skip
    panel.bar(range(count), weights, keys=names, color=PALETTE[:count], tell="attention")
    panel.scatter(
        range(count), wanted, keys=[f"wanted share {t + 1}" for t in range(count)], links=names, marker="D",
        size=40, color=INK, tell={"wanted": wanted},
    )  # fmt: skip
    return panel


def sparsemax_drawing(weights, curvatures, shares, now):
    """Attention beside what the head wants at one curvature, and the wanted `shares` (L, T) over all."""
    drawing = Drawing()
    shares_panel(drawing, weights, shares[now])
    panel = drawing.panel(
        "wanted shares", xlim=(curvatures[0], curvatures[-1]), ylim=(0, 1), xscale="log",
        xlabel="$\\lambda$", title="wanted shares over $\\lambda$", xticks=[0.1, 0.3, 1, 3],
    )  # fmt: skip
    for t, share in enumerate(shares.T):
        name = f"share of token {t + 1}"
        panel.plot(curvatures, share, key=name, color=PALETTE[t], link=f"token {t + 1}")
        place = int(np.argmax(share > 0.75 * share.max())) if t else 4
        panel.annotate(
            f"{t + 1}",
            (curvatures[place], share[place]),
            key=f"name of {name}",
            offset=(-9, 6),
            link=f"token {t + 1}",
        )
    panel.vlines(curvatures[now], key="λ now", color=MUTED)
    return drawing


def nearest_drawing(tokens, point, wanted, weights, outputs):
    """Tokens of the plane, the `point` that a concave head is after, and the `outputs` (k, 2) on their way.

    Dotted lines part the places of the point at which one, two or three tokens are wanted.
    """
    drawing, names = Drawing(), token_keys(len(tokens))
    plane = new_plane(drawing, half_width=2.4, centre=(0, 0.2))
    plane.fill(*tokens.T, key="hull", color=SKY, alpha=0.25)
    for t, (corner, ends) in enumerate(_normals(tokens)):
        for side, end in zip("ab", ends, strict=True):
            plane.plot(
                *np.array([corner, end]).T,
                key=f"border {t + 1}{side}",
                color=MUTED,
                linestyle=":",
                linewidth=1.3,
            )
    plane.plot(
        *np.array([point, wanted @ tokens]).T, key="way to the hull", color=INK, linestyle="--", linewidth=1.3
    )
    plane.plot(*outputs.T, key="way of the output", color=VERMILION)
    plane.scatter(
        *tokens.T, keys=names, color=PALETTE[: len(tokens)], size=60, edgecolor=INK, tell=("x₁", "x₂")
    )
    plane.scatter(
        *(wanted @ tokens)[:, None], keys=["nearest point"], marker="D", size=46, color=INK, tell=("x₁", "x₂")
    )
    plane.scatter(
        *outputs[-1][:, None],
        keys=["output"],
        color=VERMILION,
        size=40,
        edgecolor=INK,
        z=4,
        tell=("x₁", "x₂"),
    )
    for t, token in enumerate(tokens):
        outwards = 16 * (token - tokens.mean(axis=0)) / np.linalg.norm(token - tokens.mean(axis=0))
        plane.annotate(
            f"{t + 1}", token, key=f"name {t + 1}", offset=(outwards[0], outwards[1] - 4), link=names[t]
        )
    shares_panel(drawing, weights, wanted)
    return drawing


def _normals(corners):
    """Each corner of a triangle, with points far out on the outer normals of its two edges."""
    for t in range(3):
        ends = []
        for other in ((t + 1) % 3, (t + 2) % 3):
            along = corners[other] - corners[t]
            normal = np.array([along[1], -along[0]]) / np.linalg.norm(along)
            normal *= -np.sign(normal @ (corners.mean(axis=0) - corners[t]))
            ends.append(corners[t] + 1.6 * normal)
        yield corners[t], ends


def parts_drawing(tokens, kept, weights, finite, directional, R):
    """Tokens as discs of their attention; beside them, w = Wz: finite part, then R times the direction."""
    drawing, names = Drawing(), token_keys(len(tokens))
    plane = new_plane(drawing, "tokens", half_width=2.2)
    plane.scatter(
        *tokens.T,
        keys=[f"attention on {n}" for n in names],
        links=names,
        size=1600 * weights + 1e-3,
        color=BLUE,
        alpha=0.3,
        z=1,
    )
    plane.scatter(
        *tokens.T, keys=names, size=26, color=INK, marker=["o" if k else "x" for k in kept],
        tell={"attention": weights},
    )  # fmt: skip
    for t, token in enumerate(tokens):
        plane.annotate(f"{t + 1}", token, key=f"name {t + 1}", offset=(13, 6), link=names[t])
    w = new_plane(drawing, "w", half_width=4.6, of="w")
    first, second = np.flatnonzero(kept)
    across = tokens[first] - tokens[second]
    w.plot(
        *level_ends(w, across, -across @ finite, 0).T,
        key="right ratios",
        color=MUTED,
        linestyle="--",
        linewidth=1.3,
    )
    w.arrow((0, 0), finite, key="finite part", color=GREEN)
    w.arrow(finite, finite + R * directional, key="directional part", color=VERMILION, linewidth=3)
    w.scatter(*(finite + R * directional)[:, None], keys=["w"], color=INK, size=40, tell=("w₁", "w₂"), z=4)
    w.annotate(
        "$W^{fin}z$", finite / 2, key="name of finite part", offset=(34, -12), color=GREEN, link="finite part"
    )
    return drawing


def apart_drawing(steps, weights, laws, parts, now):
    """Attention of each token over the steps beside its law, and the sizes of the parts of W."""
    drawing = Drawing()
    panel = drawing.panel(
        "attention", xlim=(1, steps[-1]), ylim=(1e-6, 1), xscale="log", yscale="log", xlabel="step $k$",
        title="attention $s_t$", yticks=[1e-6, 1e-4, 1e-2, 1], xticks=[1, 100, 1e4],
    )  # fmt: skip
    for t, values in enumerate(weights.T):
        panel.plot(
            steps, np.maximum(values, 1e-6), key=f"weight {t + 1}", color=PALETTE[t], link=f"now {t + 1}"
        )
        if laws[t]:
            panel.plot(
                steps[1:],
                np.clip(laws[t] / steps[1:], 1e-6, 1),
                key=f"law {t + 1}",
                color=INK,
                linestyle=":",
                linewidth=1.3,
                link=f"now {t + 1}",
            )
        panel.scatter(
            [steps[now]],
            [max(values[now], 1e-6)],
            keys=[f"now {t + 1}"],
            color=PALETTE[t],
            edgecolor=INK,
            tell=("step", "attention"),
        )
        panel.annotate(
            f"{t + 1}", (steps[6], values[6]), key=f"name {t + 1}", offset=(0, 6), link=f"now {t + 1}"
        )
    sizes = drawing.panel(
        "parts", xlim=(1, steps[-1]), ylim=(0, 1.15 * parts.max()), xscale="log", xlabel="step $k$",
        title="sizes of the parts of $W$", xticks=[1, 100, 1e4],
    )  # fmt: skip
    looks = (("finite part", GREEN, "-"), ("along the direction", VERMILION, "-"), ("rest", MUTED, "--"))
    for (name, colour, dashes), values in zip(looks, parts.T, strict=True):
        sizes.plot(steps, values, key=name, color=colour, linestyle=dashes)
        sizes.scatter(
            [steps[now]],
            [values[now]],
            keys=[f"{name} now"],
            color=colour,
            edgecolor=INK,
            links=[name],
            tell=("step", "size"),
        )
        sizes.annotate(
            name, (steps[-9], values[-9]), key=f"name of {name}", offset=(-30, 7), color=colour, link=name
        )
    return drawing


def coefficient_drawing(ratios, correlations, products, distances, now):
    """Correlation over the coefficient, and the inner product and the squared distance that are rivals."""
    drawing = Drawing()
    box = {"xlim": (0, ratios[-1]), "xlabel": "$C$ in units of $C^*$", "xticks": [0, 1, 2, 3]}
    low = np.floor(20 * correlations.min()) / 20
    curves = (
        ("correlation", "correlation with $W$", (low, 1.02), (("correlation", correlations, BLUE, "-"),)),
        ("rivals", "in units of ‖W‖²", (0, 3), (
            ("inner product", products, VERMILION, "--"), ("squared distance", distances, GREEN, "-"))),
    )  # fmt: skip
    for panel_name, title, ylim, lines in curves:
        panel = drawing.panel(panel_name, ylim=ylim, title=title, **box)
        panel.vlines(1, key="C*", color=MUTED)
        for name, values, colour, dashes in lines:
            panel.plot(ratios, values, key=name, color=colour, linestyle=dashes)
            panel.scatter(
                [ratios[now]],
                [values[now]],
                keys=[f"{name} now"],
                color=colour,
                size=46,
                edgecolor=INK,
                links=[name],
                tell=("C/C*", name),
            )
            if len(lines) > 1:
                panel.annotate(
                    name,
                    (ratios[-14], values[-14]),
                    key=f"name of {name}",
                    offset=(-8, 8),
                    ha="right",
                    color=colour,
                    link=name,
                )
    return drawing


def discards_drawing(edges, counts, suppressed, kept, reasons):
    """How many weights have which size, with both thresholds, and what became of the candidates."""
    drawing = Drawing()
    panel = drawing.panel(
        "weights", xlim=(edges[0], edges[-1]), ylim=(0, 1.1 * counts.max()), xlabel="power of ten of $s_t$",
        title="all weights at the end", xticks=range(int(edges[0]), 1, 3),
    )  # fmt: skip
    middles = (edges[1:] + edges[:-1]) / 2
    panel.bar(
        middles,
        counts,
        keys=[f"weights near 1e{m:.2f}" for m in middles],
        width=0.9 * np.diff(edges)[0],
        color=BLUE,
        tell="weights",
    )
    for name, value, dashes in (("suppressed below", suppressed, ":"), ("kept above", kept, "--")):
        panel.vlines(np.log10(value), key=name, color=VERMILION, linestyle=dashes, linewidth=2)
    bars = drawing.panel(
        "candidates", xlim=(0, sum(reasons.values())), ylim=(len(reasons) - 0.4, -0.6), title="candidates",
        yticks=dict.fromkeys(range(len(reasons)), ""),
    )  # fmt: skip
    places = np.arange(len(reasons))
    colours = [GREEN if name == "accepted" else ORANGE for name in reasons]
    bars.barh(
        places, np.array(list(reasons.values()), float), keys=list(reasons), color=colours, tell="candidates"
    )
    for place, (name, count) in zip(places, reasons.items(), strict=True):
        bars.annotate(
            f"{name}: {count}", (0, place), key=f"name of {name}", offset=(8, -4), ha="left", link=name
        )
    return drawing
