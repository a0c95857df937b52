"""The same by Panel, with every state embedded: `python with_panel.py FILE [inline]`."""

import sys

import numpy as np
import panel as pn
from bokeh.plotting import figure
from bokeh.resources import CDN, INLINE

pn.extension()
sigmas = [round(float(value), 5) for value in np.linspace(0.5, 2, 49)]
slider = pn.widgets.DiscreteSlider(name="standard deviation", options=sigmas, value=1.0)
x = np.linspace(-4, 4, 81)


def bell(sigma):
    density = np.exp(-((x / sigma) ** 2) / 2) / (sigma * np.sqrt(2 * np.pi))
    plot = figure(
        width=460, height=320, x_range=(-4, 4), y_range=(0, 0.9), x_axis_label="x", y_axis_label="density"
    )
    plot.line(x, density, line_width=2)
    return pn.Column(plot, f"With standard deviation {sigma:.2f} the height is {density.max():.2f}.")


resources = INLINE if "inline" in sys.argv else CDN
page = pn.Column(slider, pn.bind(bell, slider))
page.save(sys.argv[1], embed=True, max_states=1000, max_opts=len(sigmas), resources=resources, progress=False)
