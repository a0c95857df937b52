"""A figure that stays still, shown as the book shows its figures: inline SVG that follows the theme."""

import sys

from margins.explore import markup
from margins.explore.errors import refuse
from margins.explore.explorable import MIME, baking
from margins.explore.readable import readable


def show(figure, *, name, caption, alt):
    """Display of `figure` with its `caption` (Markdown) and `alt`, the sentence for who cannot see it.

    `name` makes its anchor `fig-<name>` and keeps its bytes the same from build to build.
    (book: How to read and run this book, Figures that move)

    >>> from margins.figures import new_axes
    >>> figure, axes = new_axes()
    >>> show(figure, name="nothing", caption="No data.", alt="Axes without data.")
    {'text/plain': 'Axes without data.', 'text/html': ...}
    """
    from IPython.display import display
    from matplotlib import rc_context

    from margins.explore.svg import to_svg
    from margins.figures import STYLE

    if not alt.strip():
        raise refuse(name, "alt is empty", remedy="say in a sentence what is to be seen")
    name = name.replace("_", "-")
    with rc_context(STYLE):
        svg = to_svg(figure, name, alt)
    forget(figure)
    data = {"text/plain": alt, "text/html": markup.still(svg, readable(caption))}
    if baking():
        data["text/html"] = markup.picture(svg, alt, readable(caption))
        data[MIME] = {"name": name, "body": markup.stage(svg), "caption": caption, "prompts": []}
    display(data, raw=True)


def forget(figure):
    """Take `figure` from pyplot, else the notebook shows it a second time and memory fills."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)
