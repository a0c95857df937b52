"""Passages of a page: what of its lines is read as sentences."""

from margins_book.sentences.blocks import passages


def test_comments_are_no_words_of_a_sentence():
    page = "## Part\n\n<!-- figure: a=90 -->\nIt turns. <!-- figure: a=180 --> It stops.\n\n<!-- -->\n"
    assert [(one.kind, one.text) for one in passages(page)] == [("text", "It turns.  It stops.")]
