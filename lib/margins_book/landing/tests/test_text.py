"""What the landing page says of the book and of its figure."""

import re

from margins_book.chapters import LANDING, chapters
from margins_book.page.quotes import quotes, test_every_cell_runs  # noqa: F401


@quotes("Eleven chapters")
def test_the_chapters_are_counted():
    assert len(chapters()) == 11


@quotes("A query shares its attention among six tokens, and training rewards what it gives to token A")
def test_the_figure_has_these_tokens(figures):
    assert len(figures.TOKENS) == len(figures.NAMES) == 6
    assert figures.NAMES[0] == "A"


@quotes("the next four lead from kernels to attention", "with the sixth begins what training makes")
def test_the_parts_of_the_book_begin_where_they_are_said_to():
    topics = [chapter.topic for chapter in chapters()]
    assert (topics[1], topics[4], topics[5]) == ("kernels", "random_features", "attention_svm")


def test_each_chapter_is_listed_with_its_title_and_its_question():
    item = re.compile(r"^(\d+)\. \[\*\*(.+)\.\*\*\]\(chapters/(.+)\) (.+)$", re.MULTILINE)
    listed = item.findall(LANDING.page.read_text("utf8"))
    assert len(listed) == len(chapters())
    for chapter, (number, title, file, question) in zip(chapters(), listed, strict=True):
        assert (chapter.number, chapter.page.name) == (int(number), file)
        assert f"# {title}\n\n**{question}**\n" in chapter.page.read_text("utf8")
