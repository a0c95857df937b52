"""What the lectures leave out, and what they say of it."""

import pytest

from scripts.editions.articles import article_of
from scripts.editions.left_out import leave_out

PAGE = "chapters/01_small.html"


@pytest.fixture
def article(site):
    cut = article_of(PAGE)
    leave_out(cut, PAGE)
    return cut


@pytest.mark.parametrize("gone", ["A LONG PROOF", "THE CODE OF A CHECK", "IN AN EXCURSION"])
def test_excursions_long_proofs_and_checks_are_gone(article, gone):
    assert gone in article_of(PAGE).text
    assert gone not in article.text


@pytest.mark.parametrize("kept", ["A SHORT PROOF", "It holds.", "THE SOLUTION", "THE ANSWER", "1.A Beyond."])
def test_the_spine_stays(article, kept):
    assert kept in " ".join(article.text.split())


def test_of_a_fold_stays_its_line_which_leads_to_its_place_on_the_site(article):
    lines = article.select(".left-out a.elsewhere")
    assert [" ".join(line.text.split()) for line in lines] == ["Proof, 7 lines", "Check: passed"]
    site = "https://book.example/chapters/01_small.html?depth=everything"
    assert [line["href"] for line in lines] == [f"{site}#thm-one", f"{site}#checked"]


def test_a_page_without_depths_stays_as_it_is(site):
    cut = article_of("book/glossary.html")
    leave_out(cut, "book/glossary.html")
    assert str(cut) == str(article_of("book/glossary.html"))
