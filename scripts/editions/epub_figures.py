"""Figures that stand still: colours that every reader knows, each figure with its sentence and caption."""

import re

from explorable.palette import CSS_VALUES
from scripts.editions.site import anchor, fragment

MOVING = (
    ".explorable-guess, .explorable-guess-shaft, .explorable-compare, .explorable-note, .explorable-numbers, "
    ".explorable-follows, svg [data-aside]"
)
VARIABLE = re.compile(r"var\(--[\w-]+, ([^()]*)\)")  # a colour or font of the site, and what stands in for it
PAPER = CSS_VALUES["paper"]  # the ground on which a figure is drawn, which a reader chooses
NAMES = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio", "clippath": "clipPath"}


def still_figures(body, page, address):
    """Makes the figures below an element stand still; `address` is that of their page on the site."""
    for gone in body.select(MOVING):
        gone.decompose()
    for output in body.select("figure.explorable output"):
        output.name, output.attrs = "p", {"class": "sentence"}
    for panel in body.select(".explorable-panel, .explorable-frame, .figure-stage"):
        del panel["style"]
    for figure in body.select("figure.explorable"):
        place = f"{address}#{figure['id'].removeprefix(anchor(page))}"
        figure.figcaption.append(fragment(f'<a class="moves" href="{place}">Move it on the site</a>'))
    for drawing in body.select("svg"):
        redraw(drawing)


def redraw(drawing):
    """An SVG element of a page as XML: names as SVG spells them, a size, no variables of the site's style."""
    drawing["xmlns"] = "http://www.w3.org/2000/svg"
    for element in [drawing, *drawing.find_all(True)]:
        element.name = NAMES.get(element.name, element.name)
        if on_paper := [f"paper-{name}" for name, value in element.attrs.items() if value == PAPER]:
            element["class"] = on_paper
        element.attrs = {
            NAMES.get(name, name): VARIABLE.sub(r"\1", value) if isinstance(value, str) else value
            for name, value in element.attrs.items()
            if not name.startswith("data-")
        }
    _, _, drawing["width"], drawing["height"] = drawing["viewBox"].split()
