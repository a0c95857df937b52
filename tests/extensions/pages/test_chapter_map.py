"""What a chapter builds on, read from its card, and where the map of the chapters puts it."""

import pytest

from extensions.pages.chapter_map import cells, joined, lines, needed


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("linear algebra, gradients, a little numpy.", set()),
        ("{doc}`01_svm_duality`, eigenvalues of symmetric matrices.", {1}),
        ("[SVM duality](01_svm_duality.md) and [Kernels](02_kernels.md).", {1, 2}),
        ("chapters 1 to 3, up to the softmax kernel.", {1, 2, 3}),
        ("chapters 6 and 7, of chapter 1 the dual.", {1, 6, 7}),
        ("kernels (chapters 2 to 4, and 9), integrals over 10 dimensions.", {2, 3, 4, 9}),
    ],
)
def test_a_card_says_what_its_chapter_builds_on(asked, numbers):
    text = f"The theorem of chapter 12.\n\n*Before you start:* {asked}\n*Reading:* chapter 13."
    assert needed(text) == numbers


NEEDS = {1: set(), 2: {1}, 3: {1, 2}, 4: {1, 2, 3}, 5: {1, 3}, 6: {2, 4}}


def test_no_line_is_drawn_where_another_way_leads():
    assert lines(NEEDS) == [(1, 2), (2, 3), (3, 4), (3, 5), (4, 6)]


def test_a_chapter_stands_below_all_it_builds_on_and_none_on_another():
    place, columns = cells(NEEDS)
    assert columns == 4
    assert place == {1: (1, 2), 2: (2, 2), 3: (3, 2), 4: (4, 1), 5: (4, 3), 6: (5, 2)}


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([1], "1"), ([1, 2], "1 and 2"), ([2, 3, 4], "2 to 4"), ([1, 2, 4], "1, 2 and 4"), ([1, 3], "1 and 3")],
)
def test_numbers_are_told_as_one_says_them(numbers, words):
    assert joined(numbers) == words
