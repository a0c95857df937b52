"""Asides: marks that are shown only while the text speaks of them."""

import pytest

from explorable import Drawing, explore, slider
from explorable.figures import MIME
from tests.explorable.samples import refused

pytestmark = pytest.mark.usefixtures("baking")


def figure_with(asides, drawn):
    @explore(a=slider(0, 1, steps=49), caption="A level", asides=asides)
    def level(a):
        drawing = Drawing()
        panel = drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))
        panel.hlines(a, key="level")
        for name in drawn:
            with panel.aside(name):
                panel.vlines(a, key=f"{name} of the level")
        return drawing, f"at {a:g}"

    return level


def test_an_aside_is_in_the_table_and_in_no_picture():
    bundle = figure_with({"foot": "where it stands"}, ["foot"]).bundle()
    assert [mark["a"] for mark in bundle[MIME]["table"]["marks"] if "a" in mark] == ["foot"]
    assert "foot" not in bundle["text/html"]
    assert "foot" not in bundle[MIME]["body"]
    assert bundle[MIME]["spec"]["asides"] == {"foot": "where it stands"}


@pytest.mark.parametrize(
    ("asides", "drawn", "words"),
    [
        ({"foot": "where it stands"}, [], "no position has a mark of the aside 'foot'"),
        ({}, ["foot"], "the aside 'foot' has no meaning"),
        ({"foot": ""}, ["foot"], "asides: expected a dict"),
        (["foot"], ["foot"], "asides: expected a dict"),
        ({"a foot": "where it stands"}, [], "asides: expected a dict"),
        ({}, ["a foot"], "expected aside, one word, but got 'a foot'"),
    ],
)
def test_an_aside_has_a_name_a_meaning_and_a_mark(asides, drawn, words):
    with refused(words):
        figure_with(asides, drawn).bundle()


def test_labels_of_an_aside_give_way_to_others_and_move_none():
    def places(aside):
        drawing = Drawing()
        panel = drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))
        panel.scatter([0.5], [0.5], keys=["point"])
        if aside:
            with panel.aside("more"):
                panel.annotate("an aside", (0.5, 0.5), key="words aside")
        panel.annotate("a point", (0.5, 0.5), key="words")
        return {mark.key: mark.numbers for mark in panel.marks()}

    with_aside = places(True)
    assert with_aside["words"] == places(False)["words"]
    assert with_aside["words aside"] != with_aside["words"]
