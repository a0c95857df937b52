"""Which figure stands beside which part of a page: that of the part, one carried on, or the page's first."""

from docutils import nodes
from docutils.utils import new_document

from explorable.sphinx_ext.figures import FigureNode, StateNode
from explorable.sphinx_ext.scopes import ENOUGH, scopes

LONG, SHORT = "x" * ENOUGH, "x" * 100


def section(name, *parts):
    made = nodes.section("", nodes.title("", name), *parts, names=[name], ids=[name])
    return made


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
    found = [(part.start["names"][0], part.figure and part.figure["name"]) for part in scopes(document)]
    return dict(found)


def test_a_section_with_enough_text_has_its_own_figure_beside_it():
    assert beside(section("a", figure("own"), text(LONG)), section("b", text(LONG))) == {
        "page": "first",
        "a": "own",
        "b": "first",
    }


def test_a_figure_with_little_text_stays_in_the_text():
    assert beside(section("a", figure("own"), text(SHORT)))["a"] == "first"


def test_a_figure_is_kept_until_the_section_that_it_names_from_a_short_one_on():
    parts = [
        section("a", figure("own", until="b"), text(SHORT)),
        section("b", text(LONG)),
        section("c", text(LONG)),
    ]
    assert beside(*parts) == {"page": "first", "a": "own", "b": "own", "c": "first"}


def test_a_figure_that_does_not_dock_is_beside_nothing():
    assert beside(section("a", figure("own", dock=False), text(LONG)))["a"] == "first"


def test_a_section_without_a_figure_has_the_one_that_its_first_state_names():
    parts = [
        section("a", section("own", figure("own"), text(LONG)), section("named", text(LONG), state("first"))),
        section("b", state("own"), state("first")),
        section("c", state("of another page"), text(LONG)),
    ]
    found = {"page": "first", "a": "first", "own": "own", "named": "first", "b": "own", "c": "first"}
    assert beside(*parts) == found


def test_a_section_keeps_its_own_figure_where_a_state_names_another():
    assert beside(section("a", figure("own"), text(LONG), state("first")))["a"] == "own"
