"""Solutions stand in the last chapter; from each question a link leads there, and one back."""

from scripts.editions.articles import article_of
from scripts.editions.solutions import last_chapter


def test_answers_move_to_the_last_chapter_under_the_name_of_their_question(site):
    article = article_of("chapters/01_small.html")
    last = last_chapter([article])
    assert "THE ANSWER" not in article.text
    assert [heading.text for heading in last.select("h3")] == ["Question 1", "Exercise 1.1"]
    assert [answer.text for answer in last.select(".answer")] == ["THE ANSWER.", "THE SOLUTION."]
    for there, heading in zip(article.select(".answer-there a"), last.select("h3"), strict=True):
        assert there["href"] == f"#{heading['id']}"
        assert article.find(id=heading.a["href"][1:])


def test_a_heading_stays_next_to_its_first_question(site):
    """An element between them, empty as it be, is where Chromium would begin a new page."""
    article = article_of("chapters/01_small.html")
    before = [heading.find_next_sibling() for heading in article.select("h2")]
    last_chapter([article])
    assert [heading.find_next_sibling() for heading in article.select("h2")] == before


def test_pages_without_answers_have_no_section(site):
    assert not last_chapter([article_of("book/glossary.html")]).select("section")
