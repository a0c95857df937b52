"""A figure that does not fit on a page lets the text behind it go on."""

import re

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from scripts.editions.pdf import print_book
from tests.scripts.editions.conftest import PAGE

WORDS = "<p>" + "Words that stand behind the figure. " * 20 + "</p>"
SECTION = """<p>See <a href="#ex-tall">the figure</a>.</p><div style="height: {above}mm"></div>
<div class="cell"><div class="cell_output"><figure class="explorable" id="ex-tall">
<svg viewBox="0 0 300 150" style="height: 100mm"><text x="9" y="20">drawn</text></svg></figure></div></div>
<div class="cell figure-code"></div>{behind}"""


@pytest.fixture
def pages(browser, site, tmp_path):
    """A function that prints a section; the texts of its pages."""

    def printed(above, behind):
        body = SECTION.format(above=above, behind=behind)
        style = "<style>@page { @top-center { content: none } }</style>"
        book = BeautifulSoup(PAGE.format(title="", path="", root="", body=style + body), "html.parser")
        print_book(book, tmp_path / "book.pdf", browser)
        return [page.extract_text() for page in PdfReader(tmp_path / "book.pdf").pages]

    return printed


def count(text):
    return len(re.findall(r"Words\s+that\s+stand", text))


def test_paragraphs_behind_a_figure_fill_the_page_before_it(pages):
    first, second = pages(150, 3 * WORDS)
    assert count(first) > 30  # of sixty, one of which may stand on both pages
    assert "drawn" in second


STAYING = [(230, WORDS), (170, f"<h2>Next</h2>{WORDS}"), (170, "<p>So:</p>")]


@pytest.mark.parametrize(("above", "behind"), STAYING)
def test_text_stays_behind_a_figure_without_room_or_another_section_s_or_before_a_formula(
    pages, above, behind
):
    first, second = pages(above, behind)
    assert count(first) == 0
    assert "drawn" in second


def test_a_figure_that_fits_stays_where_it_is(pages):
    (only,) = pages(50, WORDS)
    assert only.index("drawn") < only.index("Words")
