"""Which figure stands beside which part of a page: that of the part, one carried on, or the page's first."""

import pytest
from docutils import nodes
from docutils.utils import new_document

from explorable.sphinx_ext.figures import FigureNode, StateNode
from explorable.sphinx_ext.scopes import ENOUGH, scopes

LONG, SHORT = "x" * ENOUGH, "x" * 100


def section(name, *parts):
    return nodes.section("", nodes.title("", name), *parts, names=[name], ids=[name])


def text(words):
    return nodes.paragraph("", words)


def figure(name, *, dock=True, until=""):
    return FigureNode("", name=name, ids=[name], moves=True, dock=dock, until=until)


def state(name):
    """A paragraph that sets the figure with this name."""
    return nodes.paragraph("", "", StateNode("", figure=name), nodes.Text("text"))


def beside(*sections):
    """By section, the name of the figure beside it."""
    document = new_document("page")
    document += section("page", figure("first"), *sections)
    return {part.start["names"][0]: part.figure and part.figure["name"] for part in scopes(document)}


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        # its own figure where there is enough text, else the figure stays in the text
        ([section("a", figure("own"), text(LONG)), section("b", text(LONG))], {"a": "own", "b": "first"}),
        ([section("a", figure("own"), text(SHORT))], {"a": "first"}),
        # one is kept until the section that it names, from a short one on
        (
            [section("a", figure("own", until="b"), text(SHORT))]
            + [section(name, text(LONG)) for name in "bc"],
            {"a": "own", "b": "own", "c": "first"},
        ),
        # one that does not dock is beside nothing
        ([section("a", figure("own", dock=False), text(LONG))], {"a": "first"}),
        # without a figure that which the first state names, but never in place of the own one
        (
            [
                section("a", section("own", figure("own"), text(LONG)), section("named", state("first"))),
                section("b", state("own"), state("first")),
                section("c", state("of another page"), text(LONG)),
            ],
            {"a": "first", "own": "own", "named": "first", "b": "own", "c": "first"},
        ),
        ([section("a", figure("own"), text(LONG), state("first"))], {"a": "own"}),
    ],
)
def test_beside_a_section_stands_its_own_figure_or_one_carried_on_or_named_or_the_first(sections, expected):
    assert beside(*sections) == {"page": "first", **expected}
