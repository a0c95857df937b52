"""Links of an edition: inside where it has the place, otherwise to the site, and said so."""

import pytest

from scripts.editions.edition import EVERYTHING, LECTURES
from scripts.editions.whole_book import one_document

CHAPTER = "chapters/01_small.html"
HOME = "https://book.example"


@pytest.fixture
def links(site):
    """A function that gives, by their words, the links in the chapter of an edition."""

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
