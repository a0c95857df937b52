"""Drawings of errata and open questions: features, slopes, norms along runs, traps, alignments of heads."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, INK, MUTED, ORANGE, PAPER, SKY, VERMILION
from margins_book.drawing.planes import HANDLE_OFFSET, new_plane
from margins_book.experiments.estimates import Estimate

ANGLES = np.linspace(0, 2 * np.pi, 61)


def traps_drawing(
    first: NDArray, second: NDArray, machine: NDArray, trap: NDArray | None, starts: NDArray, lost: NDArray
) -> Drawing:
    """Where a_1 is trapped beside a_2, the machine of the best tokens, and where descent from `starts` ends.

    `trap` is the direction of the trap or None, `lost` says of each of the starts (k, 2) whether it ends at
    a wrong token.
    """
    drawing = Drawing()
    rows = new_plane(drawing, "rows", half_width=1.9, centre=(0.9, -0.5))
    rows.fill(*half_plane(second).T, key="half-plane", color=VERMILION, alpha=0.25)
    rows.fill(*disc(second).T, key="disc", color=VERMILION, alpha=0.25)
    rows.vlines(0, key="equal scores", color=MUTED, linestyle=":")
    for name, row in (("1", first), ("2", second)):
        rows.arrow((0, 0), row, key=f"a {name}", color=BLUE, linewidth=2)
        rows.annotate(f"$a_{name}$", row, key=f"name of a {name}", offset=(18, 14), link=f"a {name}")
    ring = new_plane(drawing, "starts", half_width=1.9, of="w")
    size, shade = np.where(lost, 70, 16), [VERMILION if one else BLUE for one in lost]
    names = [f"start {k + 1}" for k in range(len(starts))]
    ring.scatter(*starts.T, keys=names, size=size, color=shade, tell={"lost": lost.astype(float)})
    ring.arrow((0, 0), 0.8 * machine / np.linalg.norm(machine), key="machine", color=BLUE, linewidth=2)
    if trap is not None:
        end = 0.8 * trap / np.linalg.norm(trap)
        ring.arrow((0, 0), end, key="trap", color=VERMILION, linestyle="--", linewidth=2)
    return drawing


def half_plane(second: NDArray, far: float = 8.0) -> NDArray:
    """The corners (4, 2) of {a : <a, a_2> <= -||a_2||^2}, as far as a panel reaches."""
    along = np.array([-second[1], second[0]]) / np.linalg.norm(second)
    out = -second / np.linalg.norm(second)
    return np.array(
        [-second + far * along, -second - far * along, -second - far * along + far * out,
         -second + far * along + far * out])


def disc(second: NDArray) -> NDArray:
    """The rim (61, 2) of {a : ||a||^2 <= -<a, a_2>}, the disc whose diameter joins 0 and -a_2."""
    return -second / 2 + np.linalg.norm(second) / 2 * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


def prefactor_drawing(
    keys: NDArray, query: NDArray, exact: NDArray, printed: NDArray, half_width: float = 2.5
) -> Drawing:
    """Keys as discs as large as their attention, and the weights by right and by printed features."""
    drawing, names = Drawing(), [f"key {j + 1}" for j in range(len(keys))]
    plane = new_plane(drawing, half_width=half_width, of="k")
    plane.plot(np.cos(ANGLES), np.sin(ANGLES), key="equal lengths", color=MUTED, linestyle=":")
    plane.arrow((0, 0), query, key="query", color=INK, linewidth=2)
    plane.annotate("q", query, key="name of query", offset=(12, 4), link="query")
    plane.scatter(*keys.T, keys=names, size=1100 * exact + 20, color=BLUE, alpha=0.35, tell=("k₁", "k₂"))
    for j, key in enumerate(keys):
        clear = (0, 15) if j else HANDLE_OFFSET  # of the handle of the first key
        plane.annotate(f"{j + 1}", key, key=f"name of key {j + 1}", offset=clear, link=names[j])
    panel = drawing.panel(
        "weights", xlim=(-0.6, len(keys) - 0.4), ylim=(0, 1), xlabel="key", title="attention",
        xticks={j: f"{j + 1}" for j in range(len(keys))})
    panel.bar(range(len(keys)), exact, keys=[f"right {j + 1}" for j in range(len(keys))], links=names,
              color=SKY, tell="right")
    panel.scatter(range(len(keys)), printed, keys=[f"printed {j + 1}" for j in range(len(keys))], marker="D",
                  size=60, color=VERMILION, tell={"printed": printed})
    return drawing


def second_key_drawing(
    places: NDArray, curves: Sequence[NDArray], place: float, shares: Sequence[float]
) -> Drawing:
    """The weight of the second of two keys over its place, by attention and by the printed features."""
    drawing = Drawing()
    panel = drawing.panel(
        "share", xlim=(places[0], places[-1]), ylim=(0, 1), xlabel="place of key 2", title="weight of key 2",
        height=220, yticks=[0, 0.5, 1])
    panel.vlines(1, key="query and key 1", color=MUTED, linestyle=":")
    styles = ("attention", BLUE, "-", -24), ("printed features", VERMILION, "--", 42)
    for (name, shade, line, up), curve, share in zip(styles, curves, shares, strict=True):
        panel.plot(places, curve, key=name, color=shade, linestyle=line)
        panel.scatter(
            [place], [share], keys=[f"{name}, now"], links=[name], color=shade, size=60,
            tell={"weight": np.array([share])})
        panel.annotate(
            name, (places[-1], curve[-1]), key=f"name of {name}", color=shade, link=name, ha="right",
            offset=(-2, up))
    return drawing


def slope_drawing(
    leads: NDArray, sizes: NDArray, now: tuple[float, float], weights: Sequence[float]
) -> Drawing:
    """Attention to two tokens, and the size of the slope over the lead of the right one's logit."""
    drawing = Drawing()
    bars = drawing.panel(
        "attention", xlim=(-0.6, 1.6), ylim=(0, 1), title="attention", height=220,
        xticks={0: "right", 1: "wrong"})
    bars.bar(range(2), weights, keys=["right token", "wrong token"], color=[BLUE, VERMILION], tell="weight")
    panel = drawing.panel(
        "slope", xlim=(leads[0], leads[-1]), ylim=(0, 0.1), xlabel="lead $\\mu$", title="size of the slope",
        height=220)
    panel.plot(leads, sizes, key="size of the slope", color=MUTED)
    panel.scatter([now[0]], [now[1]], keys=["slope now"], color=INK, size=60, tell=("lead", "size"))
    return drawing


def norms_drawing(steps: Sequence[int], lengths: NDArray, pulls: NDArray, now: int) -> Drawing:
    """The norms of W and of the gradient (k, 2) along two runs, with what they are after steps[now].

    The first run ends at the best tokens, the second at a wrong one; step 0 is left out of the logarithms.
    """
    drawing, later = Drawing(), np.array(steps[1:], dtype=float)
    shared = {"xlim": (1, later[-1]), "xscale": "log", "xlabel": "steps"}
    low, high = pulls.min() / 3, 3 * pulls.max()
    panels = (
        drawing.panel("length", ylim=(0, 1.2 * lengths.max()), title="length of W", **shared),
        drawing.panel("gradient", ylim=(low, high), yscale="log", title="length of the gradient", **shared))
    styles = ("best tokens", BLUE, "-"), ("wrong token", VERMILION, "--")
    for what, values, panel in zip(("length", "gradient"), (lengths, pulls), panels, strict=True):
        for (name, shade, line), curve in zip(styles, values.T, strict=True):
            key = f"{what} at the {name}"
            panel.plot(later, curve[1:], key=key, color=shade, linestyle=line)
            panel.scatter([max(steps[now], 1)], [curve[max(now, 1)]], keys=[f"{key}, now"], links=[key],
                          color=shade, size=60, tell={what: curve[[max(now, 1)]]})
    return drawing


def shares_drawing(names: Sequence[str], shares: Sequence[Estimate]) -> Drawing:
    """Shares as bars with their intervals; each is an estimate with `value`, `low` and `high`."""
    drawing = Drawing()
    panel = drawing.panel(
        "shares", xlim=(-0.6, len(names) - 0.4), ylim=(0, 1), title="share of the problems",
        xticks=dict(enumerate(names)))
    panel.bar(range(len(names)), [one.value for one in shares], keys=list(names), color=SKY, tell="share")
    for j, (name, one) in enumerate(zip(names, shares, strict=True)):
        panel.plot([j, j], [one.low, one.high], key=f"interval, {name}", color=INK, linewidth=2)
    return drawing


def joint_training_drawing(
    steps: Sequence[int], weights: Sequence[NDArray], rival: Sequence[NDArray], now: int
) -> Drawing:
    """Attention in one sequence after steps[now], head trained and fixed, and how the rivals fade in both.

    `weights` and `rival` hold a pair each: trained together, and with a fixed head.
    """
    drawing, count = Drawing(), weights[0].shape[1]
    names = [f"token {t + 1}" for t in range(count)]
    bars = drawing.panel(
        "attention", xlim=(-0.6, count - 0.4), ylim=(0, 1), xlabel="token", title="attention",
        xticks={t: f"{t + 1}" for t in range(count)})
    bars.bar(range(count), weights[0][now], keys=names, color=SKY, tell="together")
    bars.scatter(range(count), weights[1][now], keys=[f"fixed {t + 1}" for t in range(count)], links=names,
                 marker="D", size=50, color=ORANGE, tell={"fixed head": weights[1][now]})
    panel = drawing.panel(
        "rivals", xlim=(steps[0], steps[-1]), ylim=(1e-6, 1), xscale="log", yscale="log", xlabel="steps",
        title="all but the winner", xticks=[10, 100, 1000])
    styles = ("together", BLUE, "-"), ("fixed head", ORANGE, "--")
    for (name, shade, line), curve in zip(styles, rival, strict=True):
        seen = np.flatnonzero(curve > 1e-6)
        panel.plot(np.array(steps)[seen], curve[seen], key=name, color=shade, linestyle=line)
        panel.annotate(name, (steps[seen[-1]], curve[seen[-1]]), key=f"name of {name}", link=name)
        if now in seen:
            panel.scatter(
                [steps[now]], [curve[now]], keys=[f"{name} now"], links=[name], color=shade, size=60)
    return drawing


def alignments_drawing(own: NDArray, shuffled: NDArray) -> Drawing:
    """How far the heads of each seed agree with the claim (seeds, heads), and their shuffled values do."""
    drawing, (count, heads) = Drawing(), own.shape
    panel = drawing.panel(
        "agreement", xlim=(-0.6, count - 0.4), ylim=(0, 1.08), xlabel="network", title="agreement",
        xticks={j: f"{j + 1}" for j in range(count)}, yticks=[0, 0.5, 1])
    panel.hlines(1, key="as claimed", color=MUTED, linestyle=":")
    for j in range(count):
        across = j + 0.09 * (np.arange(heads) - (heads - 1) / 2)
        names = [f"head {h // 4 + 1}.{h % 4 + 1} of network {j + 1}" for h in range(heads)]
        panel.scatter(
            across, shuffled[j], keys=[f"{name}, shuffled" for name in names], links=names, size=34,
            color=PAPER, edgecolor=MUTED, tell={"shuffled": shuffled[j]})
        panel.scatter(across, own[j], keys=names, size=34, color=BLUE, tell={"agreement": own[j]})
    return drawing
