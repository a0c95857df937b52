"""The figure of a norm: two functions through the same points, and what the detours of one cost.

(book: Kernels)
"""

import numpy as np

from explorable import Drawing
from explorable.palette import INK, MUTED
from margins_book.drawing.planes import point_keys
from margins_book.kernels.figures import LOOKS, Curve


def detour_drawing(
    points: Curve, direct: Curve, detour: Curve, norms: dict[str, Curve], now: tuple[str, float]
) -> Drawing:
    """A function with detours among the points, the shortest one, and the norm over the detours' height.

    `points`, `direct` and `detour` are (places, values); `norms` {kernel: (heights, norms)}; `now` the
    kernel and the height that the left panel shows.
    """
    drawing, (kernel, height) = Drawing(), now
    panel = drawing.panel("functions", xlim=(-2.8, 2.8), ylim=(-2.1, 2.1), xlabel="$x$", ylabel="$f(x)$")
    panel.plot(*direct, key="without detours", color=MUTED, linestyle="--", linewidth=1.5)
    panel.plot(*detour, key="with detours", color=LOOKS[kernel][0])
    panel.scatter(*points, keys=point_keys(len(points[0])), size=34, color=INK, tell=("x", "y"))
    side = drawing.panel(
        "norm", xlim=(-0.4, 0.4), ylim=(0, 13), xlabel="height of the detours",
        title="norm $\\Vert f\\Vert$", xticks=[-0.4, -0.2, 0, 0.2, 0.4],
    )  # fmt: skip
    for name, (heights, lengths) in norms.items():
        colour, dashes, marker = LOOKS[name]
        side.plot(heights, lengths, key=name, color=colour, linestyle=dashes)
        side.annotate(name, (heights[-14], lengths[-14]), key=f"name of {name}", color=colour, link=name)
        if name == kernel:
            at = float(np.interp(height, heights, lengths))
            side.scatter([height], [at], keys=["now"], links=[name], color=colour, marker=marker, size=60,
                         edgecolor=INK, tell={"norm": [at]})  # fmt: skip
    return drawing
