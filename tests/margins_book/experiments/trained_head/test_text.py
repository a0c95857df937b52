"""The text that is learnt: plain letters, of Python's help topics, and without the text that is measured."""

from pydoc_data.topics import topics as pages

from margins.data.heads import ALPHABET
from margins_book.experiments.trained_head import text


def test_plain_text_has_small_letters_and_single_spaces():
    assert text.plain("The `with` statement:\n\n  is  used, e.g.") == "the with statement is used, e.g."


def test_codes_are_places_in_the_alphabet():
    learnt = text.learnt()
    codes = text.codes(learnt)
    assert "".join(ALPHABET[code] for code in codes[:500]) == learnt[:500]
    assert set(codes.tolist()) == set(range(len(ALPHABET)))


def test_the_kept_text_is_of_the_help_topics_of_any_python():
    """Versions of Python say some things differently: most pieces of fifty letters stand in each."""
    here = text.plain(" ".join(pages.values()))
    learnt = text.learnt()
    pieces = [learnt[start : start + 50] for start in range(0, len(learnt) - 50, 50)]
    assert len(pieces) > 3900
    assert sum(piece in here for piece in pieces) > 0.85 * len(pieces)


def test_the_zen_is_that_of_python_and_is_not_learnt():
    zen = text.zen()
    assert zen.startswith("beautiful is better than ugly. explicit is better than implicit.")
    assert not any(zen[start : start + 30] in text.learnt() for start in range(0, len(zen) - 30, 10))
