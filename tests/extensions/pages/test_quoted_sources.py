"""The sentence that unfolds below a box: its words, its translation."""

import pytest
from sphinx.errors import ExtensionError

from extensions.pages.quoted_sources import SOURCES, displayed, markdown, named, place_of
from margins_book.sources.quotations import Quotation, read_quotations

PLAIN = Quotation("one", "news", "on Chapter 6", "Heads must mix.")


def test_quotations_come_in_the_order_asked_for_or_are_refused_by_their_names():
    assert [each.id for each in named("sum-order news-must")] == ["sum-order", "news-must"]
    with pytest.raises(
        ExtensionError, match=r"quotations\.yml has no quotation 'nobody'; add it there first"
    ):
        named("sum-order nobody")


def test_a_sentence_is_a_block_quotation_with_its_place_its_translation_and_a_note():
    foreign = PLAIN._replace(text="更稀疏", english="sparser", note="a letter is lost")
    lines = ["> 更稀疏", ">", "> *In our translation:* sparser", ">", "> (Of our copy: a letter is lost.)"]
    assert markdown(foreign).split("\n") == lines
    assert markdown(PLAIN) == "> Heads must mix."
    assert place_of(PLAIN) == "the news report, on Chapter 6"
    assert set(SOURCES) == {quotation.source for quotation in read_quotations().values()}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Define: $$x$$ $$y$$", "Define:\n\n$$x$$\n\n$$y$$"),
        ("Where $$x$$ holds", "Where\n\n$$x$$\n\nholds"),
        ('[section 5.2]: "It', r'\[section 5.2]: "It'),
        ("an inline $x$ stays", "an inline $x$ stays"),
    ],
)
def test_displayed_formulas_stand_by_themselves_and_no_bracket_begins_a_link(text, shown):
    assert displayed(text) == shown
