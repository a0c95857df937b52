"""Quotations that no sentence has any more, and reasons that are none, are found."""

import pytest

from margins_book.sentences.stale import stale_comments, stale_entries, stale_words
from tests.margins_book.sentences.sample import PAGE, sample

ENTRY = 'sentences:\n- words: "{}"\n  reason: "{}"\n'


def test_what_quotes_the_page_is_not_stale(tmp_path):
    page = sample(tmp_path, reasons=ENTRY.format("In most runs", "proved in svm-thm-soft: by duality"))
    assert stale_comments(page) == stale_words(page) == stale_entries(page) == []


def test_a_comment_whose_sentence_has_changed_is_found(tmp_path):
    page = sample(tmp_path, page=PAGE.replace("falls by half, e.g.", "falls by a third, e.g."))
    assert stale_comments(page) == [
        "line 36: no sentence of the page has the words 'The share falls by half'; "
        "quote it as it stands, formulas too"
    ]


def test_a_comment_that_fits_several_sentences_is_found(tmp_path):
    page = sample(tmp_path, page=PAGE.replace('"The share falls by half ..."', '"It is never"'))
    assert "3 sentences of the page have the words 'It is never'" in stale_comments(page)[0]


def test_a_comment_above_no_assertion_is_found(tmp_path):
    without = PAGE.replace("assert 2 * small < large\n", "")
    assert stale_comments(sample(tmp_path, page=without))[0].startswith("line 36: no assertion follows on")
    other = PAGE.replace('half ..."\n', 'half"\nx = 1\n# The text: "By {prf:ref}`svm-thm-soft` it is"\n')
    assert len(stale_comments(sample(tmp_path, page=other))) == 1
    both = PAGE.replace('half ..."\n', 'half"\n# The text: "By {prf:ref}`svm-thm-soft`\n# it is"\n')
    assert stale_comments(sample(tmp_path, page=both)) == []


def test_words_of_a_condition_that_the_page_does_not_say_are_found(tmp_path):
    page = sample(tmp_path, page=PAGE.replace("Everything is nearly right.", "Everything is right."))
    assert stale_words(page)[0].startswith(
        "line 24: no sentence of the page has the words 'Everything is nea"
    )


@pytest.mark.parametrize(
    ("words", "reason", "message"),
    [
        ("In many runs", "definition", "no sentence of the page has the words 'In many runs'"),
        ("In most runs", "obvious", "expected 'definition', 'opinion', 'arithmetic', 'proved in LABEL'"),
        ("In most runs", "opinionated", "expected 'definition', 'opinion'"),
        ("In most runs", "proved in svm-thm-nowhere", "no chapter has the label 'svm-thm-nowhere'"),
        ("In most runs", "tested in tests/nowhere.py", "there is no file tests/nowhere.py"),
    ],
)
def test_entries_that_hold_nothing_are_found(tmp_path, words, reason, message):
    (found,) = stale_entries(sample(tmp_path, reasons=ENTRY.format(words, reason)))
    assert message in found


def test_an_entry_without_a_reason_is_found(tmp_path):
    page = sample(tmp_path, reasons='sentences:\n- words: "In most runs"\n')
    assert stale_entries(page) == [
        "expected an entry with words and reason, but {'words': 'In most runs'} came"
    ]
