"""What a text states is compared with the page's names as they are behind the cell before the words."""

import pytest

from margins_book.page.quotes import PageText, quotes
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
def test(tmp_path):
    (tmp_path / "small.md").write_text(PAGE, "utf8")

    def made(*tests):
        return PageText(tmp_path / "small.md", tmp_path, list(tests))

    return made


def stated(*words, behind="", expected):
    @quotes(*words, behind=behind)
    def test(a):
        assert a == expected

    return test


def test_a_name_has_the_value_before_the_words(test):
    first, second = stated("The number is 1.", expected=1), stated("The number is now 2.", expected=2)
    page = test(first, second)
    first(page)
    second(page)


def test_a_failure_tells_both_sides_and_the_words(test):
    wrong = stated("The number is 1.", expected=7)
    with pytest.raises(AssertionError) as failure:
        wrong(test(wrong))
    line = PAGE.split("\n").index("The number is 1.") + 1
    assert failure.value.__notes__[0].endswith(f"small.md:{line}: The number is 1.")


def test_code_of_another_cell_may_be_named(test):
    other = stated("The number is 1.", behind="a = 2", expected=2)
    other(test(other))


def test_words_of_the_story_must_stand_there(test):
    @quotes("The number is 1.", story="One it is.")
    def told(a):
        assert a == 1

    page = test(told)
    with pytest.raises(AssertionError, match="the story does not say"):
        told(page)
    page.story = "One\nit is."
    told(page)


def test_a_name_that_is_set_later_is_taken_from_there(test):
    @quotes("The number is 1.")
    def later(c):
        assert c == 3

    later(test(later))


def test_words_that_the_page_lost_and_names_that_no_cell_sets_are_refused(test):
    lost = stated("The number is 9.", expected=1)
    with pytest.raises(AssertionError, match=r"does not say 'The number is 9\.'"):
        lost(test(lost))

    @quotes("The number is 1.")
    def unset(nothing):
        raise NotImplementedError

    with pytest.raises(AssertionError, match="no cell sets nothing"):
        unset(test(unset))
