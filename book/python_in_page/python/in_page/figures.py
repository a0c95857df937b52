"""Figures whose frames come from the page's own Python, at any values of their controls."""

from explorable import live
from explorable.figures import Explorable


def new_figures(before, space):
    """What the page needs to show the figures in `space` that were not in `before`."""
    made = [one for name, one in space.items() if isinstance(one, Explorable) and before.get(name) is not one]
    by_name = {one.name: one for one in made}  # a cell may end with a figure that it names
    for explorable in by_name.values():
        explorable.bundle()
    return [live.shown[name][1] for name in by_name]


def frame(name, values):
    """The frame of a figure at `values`, or the error in its place.

    A figure is absent if Python has been started anew since it was made.
    """
    if name not in live.shown:
        return {"absent": True}
    try:
        return {"frame": live.shown[name][0].frame(values)}
    except Exception as reason:
        return {"error": str(reason)}
