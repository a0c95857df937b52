"""Links in the notebooks of assignments lead to places that the site has."""

import re

import pytest

from margins_course.assignments.notebooks import nbgrader_source
from margins_course.book import find_chapter, page_of
from tests.book.conftest import CHAPTERS, parsed
from tests.margins_course.exercises import assigned

LINK = re.compile(r"\]\((https://[^)\s]+?)(?:#([^)\s]+))?\)")


@pytest.mark.parametrize("path", CHAPTERS)
def test_every_link_into_the_book_leads_to_its_place(path):
    file = find_chapter(path.rpartition("/")[2].removesuffix(".html"))
    book = page_of(file).removesuffix(path)
    text = "\n".join(cell.source for cell in nbgrader_source(assigned(file)).cells)
    links = [(url.removeprefix(book), anchor) for url, anchor in LINK.findall(text) if url.startswith(book)]
    assert len(links) > 4
    assert [link for link in links if link[1] and not parsed(link[0]).find(id=link[1])] == []
