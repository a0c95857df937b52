"""A bell curve with a slider, by `explorable`: `python with_explorable.py FILE`."""

import sys

import numpy as np

from explorable import Drawing, explore, slider

x = np.linspace(-4, 4, 81)


@explore(sigma=slider(0.5, 2, value=1, label="standard deviation"), caption="A bell curve")
def bell(sigma):
    density = np.exp(-((x / sigma) ** 2) / 2) / (sigma * np.sqrt(2 * np.pi))
    drawing = Drawing()
    panel = drawing.panel("bell", xlim=(-4, 4), ylim=(0, 0.9), xlabel="x", ylabel="density")
    panel.plot(x, density, key="curve")
    return drawing, f"With standard deviation {sigma:.2f} the height is {density.max():.2f}."


bell.save(sys.argv[1])
