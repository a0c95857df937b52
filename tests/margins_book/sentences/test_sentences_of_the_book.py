"""The sentences of all chapters: what holds them quotes them; chapters worked through are held."""

import functools

import pytest

from margins_book.chapters import chapters
from margins_book.sentences.holds import listed_sentences, read_page
from margins_book.sentences.stale import stale_comments, stale_entries, stale_words

CHAPTERS = pytest.mark.parametrize("chapter", chapters(), ids=lambda one: f"{one.number:02}")


@functools.cache
def read(chapter):
    return read_page(chapter.page, chapter.sentences)


@CHAPTERS
def test_comments_that_hold_words_quote_them_and_stand_above_an_assertion(chapter):
    assert stale_comments(read(chapter)) == []


@CHAPTERS
def test_conditions_of_figures_quote_words_of_the_page(chapter):
    assert stale_words(read(chapter)) == []


@CHAPTERS
def test_reasons_stand_beside_words_of_the_page(chapter):
    assert stale_entries(read(chapter)) == []


@CHAPTERS
def test_no_sentence_that_data_could_deny_is_unheld(chapter):
    assert [f"{one.line}: {one.words}" for one in listed_sentences(read(chapter)) if not one.held] == []


@CHAPTERS
def test_every_place_of_a_chapter_is_read(chapter):
    """A reader of pages that misses a place would hold its sentences by silence."""
    kinds = {one.kind for one in read(chapter).stated}
    assert {"answer of a prompt", "caption", "quiz", "solution", "summary", "text"} <= kinds
