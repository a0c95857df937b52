"""What a text states is compared with the page's names as they are behind the cell before the words."""

from types import SimpleNamespace

import pytest

from margins_book.page.holding import Held, holds
from tests.margins_book.page.test_run import HEAD, cell

PAGE = (
    HEAD
    + cell("a, b = 1, [1]")
    + "\nThe number is 1.\n\n"
    + cell("a = 2")
    + "\nThe number is now 2.\n\n"
    + cell("c = a + 1")
)


@pytest.fixture
def held(tmp_path):
    (tmp_path / "small.md").write_text(PAGE, "utf8")

    def made(*tests):
        return Held(SimpleNamespace(page=tmp_path / "small.md", folder=tmp_path), list(tests))

    return made


def stated(*words, behind="", expected):
    @holds(*words, behind=behind)
    def test(a):
        assert a == expected

    return test


def test_a_name_has_the_value_before_the_words(held):
    first, second = stated("The number is 1.", expected=1), stated("The number is now 2.", expected=2)
    page = held(first, second)
    first(page)
    second(page)


def test_a_failure_tells_both_sides_and_the_words(held):
    wrong = stated("The number is 1.", expected=7)
    with pytest.raises(AssertionError) as failure:
        wrong(held(wrong))
    line = PAGE.split("\n").index("The number is 1.") + 1
    assert failure.value.__notes__[0].endswith(f"small.md:{line}: The number is 1.")


def test_code_of_another_cell_may_be_named(held):
    other = stated("The number is 1.", behind="a = 2", expected=2)
    other(held(other))


def test_a_name_that_is_set_later_is_taken_from_there(held):
    @holds("The number is 1.")
    def later(c):
        assert c == 3

    later(held(later))


def test_words_that_the_page_lost_and_names_that_no_cell_sets_are_refused(held):
    lost = stated("The number is 9.", expected=1)
    with pytest.raises(AssertionError, match=r"does not say 'The number is 9\.'"):
        lost(held(lost))

    @holds("The number is 1.")
    def unset(nothing):
        raise NotImplementedError

    with pytest.raises(AssertionError, match="no cell sets nothing"):
        unset(held(unset))
