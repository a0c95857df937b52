"""The sentences quoted: whole, and each once; and what counts as a part of one.

Their words are compared with the sources themselves in `test_at_hand.py`, where these are at hand.
"""

import pytest

from margins_book.ledger import ERRORS, MISREADING, read_ledger
from margins_book.sources.quotations import Quotation, quotations_of, quotes, read_quotations

QUOTATIONS = read_quotations()
LONGEST = 900  # characters: a sentence, no passage
JUDGED = {*ERRORS, MISREADING}


def test_it_is_a_sentence_with_a_place_and_a_translation_where_it_is_not_english():
    for quotation in QUOTATIONS.values():
        assert quotation.place, quotation
        assert len(quotation.text) <= LONGEST, quotation
        assert bool(quotation.english) == (quotation.source == "equivalence"), quotation
        assert not any("\u4e00" <= sign <= "\u9fff" for sign in quotation.words), quotation


def test_no_sentence_is_quoted_twice():
    found = [(quotation.source, quotation.digest) for quotation in QUOTATIONS.values()]
    assert len(found) == len(set(found))


def test_an_id_that_comes_twice_is_refused(tmp_path):
    entry = "  - {id: one, source: news, place: top, text: a}\n"
    (tmp_path / "twice.yml").write_text("quotations:\n" + 2 * entry, "utf8")
    with pytest.raises(ValueError, match=r"twice\.yml has the id 'one' twice; give one"):
        read_quotations(tmp_path / "twice.yml")


SENTENCE = Quotation(
    "a", "news", "top", "If the *vectors* are not sparse or if “the head” is odd, it may fail."
)


@pytest.mark.parametrize(
    "fragment",
    [
        "the vectors are not sparse",
        'if "the head" is odd',
        "If the vectors … it may fail.",
        "It may fail",
        "$vectors$ are",
    ],
)
def test_a_part_of_the_sentence_is_quoted(fragment):
    assert quotes(SENTENCE, fragment)


@pytest.mark.parametrize("fragment", ["the vectors are sparse", "it can fail", "it may fail … not sparse"])
def test_other_words_and_another_order_are_not(fragment):
    assert not quotes(SENTENCE, fragment)


def test_a_translation_is_quoted_in_place_of_its_original():
    translated = SENTENCE._replace(text="更稀疏", english="sparser")
    assert quotes(translated, "sparser")
    assert not quotes(translated, "更稀疏")


def test_quotations_of_a_claim_are_the_sentences_that_it_judges():
    claims = {claim["id"]: claim for claim in read_ledger().claims}
    assert [each.id for each in quotations_of(claims["C8.08"])] == ["sum-order", "sum-heads"]
    assert quotations_of(claims["C1.09"]) == []


def test_what_is_judged_against_a_source_is_quoted_whole():
    judged = [c for c in read_ledger().claims if c["verdict"] in JUDGED and c.get("sentences")]
    assert [claim["id"] for claim in judged if not quotations_of(claim)] == []
