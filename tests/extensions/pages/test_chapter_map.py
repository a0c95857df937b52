"""What a chapter builds on, read from its card, and where the map of the chapters puts it."""

import re

import pytest

from extensions.pages.chapter_map import cells, joined, lines, needed
from extensions.pages.declared_uses import LINK, ROLE, Book, read_page
from margins_book.chapters import chapters


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


def test_a_chapter_stands_below_all_it_builds_on_and_no_line_is_drawn_where_another_way_leads():
    place, columns = cells(NEEDS)
    assert columns == 4
    assert place == {1: (1, 2), 2: (2, 2), 3: (3, 2), 4: (4, 1), 5: (4, 3), 6: (5, 2)}
    assert lines(NEEDS) == [(1, 2), (2, 3), (3, 4), (3, 5), (4, 6)]


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([1], "1"), ([1, 2], "1 and 2"), ([2, 3, 4], "2 to 4"), ([1, 2, 4], "1, 2 and 4"), ([1, 3], "1 and 3")],
)
def test_numbers_are_told_as_one_says_them(numbers, words):
    assert joined(numbers) == words


PAGES = {chapter.number: read_page(chapter.page) for chapter in chapters()}
BOOK = Book(PAGES.values())
NEEDED = {number: needed(page.path.read_text("utf8")) for number, page in PAGES.items()}
EXCURSION = re.compile(r"^(?:\([\w-]+\)=\n)*## .*\n+```\{excursion\}", re.MULTILINE)


def used(number):
    """The chapters of which results of this chapter's spine declare to use some."""
    labels = [label for result in PAGES[number].results if not result.letter for label in result.uses]
    return {BOOK.results[label][0].number for label in labels if label in BOOK.results} - {number}


def named(number):
    """The chapters that the words of this chapter's spine name behind the card, or refer to a result of."""
    _, _, text = PAGES[number].path.read_text("utf8").partition("*Running:*")
    if first := EXCURSION.search(text):
        text = text[: first.start()]
    owners = filter(None, map(BOOK.owner, ROLE.findall(text) + LINK.findall(text)))
    of_results = {BOOK.results[label][0].number for label in owners if label in BOOK.results}
    return of_results | needed(f"*Before you start:*{text.replace(chr(10), ' ')}")


def reachable(number):
    """The chapters from which the map leads to this one."""
    return NEEDED[number].union(*map(reachable, NEEDED[number]))


# the cards that ask for something of which their spine names no place, in words beside the other's name
ASKED_FOR_IN_WORDS = {(4, 5)}


def test_a_line_of_the_map_is_backed_by_what_the_spine_uses_or_names():
    """By a result that is used or referred to."""
    drawn = lines(NEEDED)
    assert {(a, b) for a, b in drawn if a not in used(b) | named(b)} == ASKED_FOR_IN_WORDS


@pytest.mark.parametrize("number", NEEDED)
def test_the_map_leads_from_every_chapter_that_a_spine_uses(number):
    assert used(number) <= reachable(number)
