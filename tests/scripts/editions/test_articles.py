"""Articles of a printed book: where their links lead, what the lectures leave out, where solutions stand."""

import pytest

from scripts.editions.articles import article_of, last_chapter, leave_out
from scripts.editions.site import EVERYTHING, LECTURES
from scripts.editions.whole_book import one_document

CHAPTER = "chapters/01_small.html"
HOME = "https://book.example"


@pytest.fixture
def links(site, monkeypatch):
    """A function that gives, by their words, the links in the chapter of an edition, which needs no fonts."""
    monkeypatch.setattr("scripts.editions.whole_book.fonts_in_print", str)

    def found(edition):
        book = one_document(edition, edition.pages())
        chapter = book.find("article", id="chapters-01_small--")
        return {link.text: link for link in chapter.select("a")}

    return found


def test_in_everything_all_of_the_book_is_inside(links):
    found = links(EVERYTHING)
    inside = {"1.A", "Theorem 1.2", "Theorem 1.1", "C1", "kerb"}
    assert {found[words]["href"][0] for words in inside} == {"#"}
    assert found["Theorem 1.2"]["href"] == "#chapters-01_small--thm-two"
    assert found["C1"]["href"] == "#book-claims--c1"


def test_in_the_lectures_what_is_left_out_is_on_the_site_and_marked(links):
    found = links(LECTURES)
    assert found["Theorem 1.1"]["href"] == "#chapters-01_small--thm-one"
    assert found["kerb"]["href"] == "#book-glossary--kerb"
    elsewhere = {words: found[words]["href"] for words in ("1.A", "Theorem 1.2", "C1")}
    chapter = f"{HOME}/chapters/01_small.html"
    assert elsewhere == {
        "1.A": f"{chapter}#beyond",
        "Theorem 1.2": f"{chapter}#thm-two",
        "C1": f"{HOME}/book/claims.html#c1",
    }
    assert all("elsewhere" in found[words]["class"] for words in elsewhere)


@pytest.mark.parametrize("edition", [LECTURES, EVERYTHING], ids=lambda edition: edition.name)
def test_links_to_other_sites_stay_and_bear_no_mark(links, edition):
    work = links(edition)["a work"]
    assert work["href"] == "https://elsewhere.example/"
    assert "elsewhere" not in work["class"]


@pytest.fixture
def article(site):
    cut = article_of(CHAPTER)
    leave_out(cut, CHAPTER)
    return cut


@pytest.mark.parametrize("gone", ["A LONG PROOF", "THE CODE OF A CHECK", "IN AN EXCURSION"])
def test_excursions_long_proofs_and_checks_are_gone(article, gone):
    assert gone in article_of(CHAPTER).text
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


def test_answers_move_to_the_last_chapter_under_the_name_of_their_question(site):
    article = article_of(CHAPTER)
    last = last_chapter([article])
    assert "THE ANSWER" not in article.text
    assert [heading.text for heading in last.select("h3")] == ["Question 1", "Exercise 1.1"]
    assert [answer.text for answer in last.select(".answer")] == ["THE ANSWER.", "THE SOLUTION."]
    for there, heading in zip(article.select(".answer-there a"), last.select("h3"), strict=True):
        assert there["href"] == f"#{heading['id']}"
        assert article.find(id=heading.a["href"][1:])


def test_a_heading_stays_next_to_its_first_question(site):
    """An element between them, empty as it be, is where Chromium would begin a new page."""
    article = article_of(CHAPTER)
    before = [heading.find_next_sibling() for heading in article.select("h2")]
    last_chapter([article])
    assert [heading.find_next_sibling() for heading in article.select("h2")] == before


def test_pages_without_answers_have_no_section(site):
    assert not last_chapter([article_of("book/glossary.html")]).select("section")
