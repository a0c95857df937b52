"""The record of draws is read as it was written; its words are those that a page shows."""

import pytest

from margins_book.chapters import Chapter
from margins_book.draws import CHECK, TEST, Row, read_rows, stale, words_of, write_rows

ROWS = [
    Row(CHECK, "x-one-1", 20, 17, 1, "4", 'a < 1: 2, "1"', "abc"),
    Row(CHECK, "x-two-1", 0, 0, 0, "", "", "abd"),
    Row(TEST, "test_c1_01", 20, 20, 0, "", "", "abe"),
]


class SmallChapter(Chapter):
    """A chapter whose folder lies beside its page."""

    @property
    def folder(self):
        return self.page.parent


@pytest.fixture
def chapter(tmp_path):
    return SmallChapter(tmp_path / "99_page.md")


def test_a_record_is_read_as_it_was_written(chapter):
    assert read_rows(chapter) == []
    write_rows(chapter, ROWS)
    assert read_rows(chapter) == ROWS


def test_changed_and_new_names_and_those_of_other_numbers_of_draws_are_stale():
    now = {"x-one-1": "abc", "x-two-1": "changed", "x-three-1": "abf"}
    assert stale(ROWS, now) == {"x-two-1", "x-three-1"}
    assert stale(ROWS, now, draws=40) == set(now)


def test_words_are_given_for_what_is_random(chapter):
    write_rows(chapter, ROWS)
    assert words_of(chapter) == {"x-one-1": "holds in 17 of 20 draws"}
    assert words_of(chapter, TEST) == {"test_c1_01": "holds in 20 of 20 draws"}
