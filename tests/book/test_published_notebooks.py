"""The notebooks that the site publishes: plain Markdown with the book's numbers, three for a chapter."""

import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

from conftest import full
from tests.book.conftest import CHAPTERS, SITE, ids, parsed
from tests.raw_markdown import raw_in

FOLDER = SITE / "notebooks"
KINDS = ("", "-excursions", "-solutions")
PUBLISHED = sorted(path.name for path in FOLDER.glob("*.ipynb"))
CODE_LINES = 25  # of a cell that a reader sees


def name_of(path, kind=""):
    return path.rpartition("/")[2].replace(".html", f"{kind}.ipynb")


def notebook(name):
    return nbformat.read(FOLDER / name, as_version=4)


def text_of(name):
    return "\n\n".join(cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")


def text_of_chapter(path):
    return "\n\n".join(text_of(name_of(path, kind)) for kind in KINDS[:2])


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_has_three_notebooks(path):
    assert {name_of(path, kind) for kind in KINDS} <= set(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_notebooks_are_valid_with_ids_of_their_own_and_no_metadata_of_sphinx(name):
    found = notebook(name)
    nbformat.validate(found)
    ids = [cell.id for cell in found.cells]
    assert len(set(ids)) == len(ids)
    assert not [cell for cell in found.cells if cell.get("outputs")]
    if "-exercises" not in name:
        assert set(found.metadata) == {"kernelspec", "language_info"}
        assert {key for cell in found.cells for key in cell.metadata} <= {"cellView", "jupyter"}


@pytest.mark.parametrize("name", [PUBLISHED[0], *full(*PUBLISHED[1:])])
def test_a_plain_page_of_it_shows_nothing_raw(name):
    """As nbconvert makes it, which knows no more of Markdown than others."""
    html, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook(name))
    page = BeautifulSoup(html, "html.parser")
    for part in page.select("pre, code, script, style"):
        part.decompose()
    assert raw_in(page.get_text()) == []
    assert not page.select("blockquote")


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_folded_has_an_empty_line_below_its_first(name):
    text = text_of(name)
    assert text.count("<details>") == text.count("</details>")
    assert text.count("<summary>") == len(re.findall(r"</summary>\n\n\S", text))


@pytest.mark.parametrize("path", CHAPTERS)
def test_set_up_is_the_only_closed_cell_and_comes_first(path):
    for kind in KINDS:
        cells = [cell for cell in notebook(name_of(path, kind)).cells if cell.cell_type == "code"]
        closed = [cell.metadata.get("jupyter", {}).get("source_hidden", False) for cell in cells]
        assert closed == [True] + [False] * (len(cells) - 1)
        assert cells[0].source.startswith("#@title Set-up")
        assert "%pip install --quiet" in cells[0].source


@pytest.mark.parametrize("path", CHAPTERS)
def test_cells_are_short_and_say_nothing_to_tests(path):
    cells = [cell.source for cell in notebook(name_of(path)).cells if cell.cell_type == "code"][1:]
    assert [source for source in cells if source.count("\n") >= CODE_LINES] == []
    assert [source for source in cells if "# The text:" in source or "### BEGIN" in source] == []


@pytest.mark.parametrize("path", CHAPTERS)
def test_statements_and_equations_bear_the_numbers_of_the_page(path):
    page, text = parsed(path), text_of_chapter(path)
    statements = [found.get_text().strip() for found in page.select(".proof .caption-number")]
    assert statements
    assert [name for name in statements if f"**{name}" not in text] == []
    numbers = [found.get_text().strip("()#") for found in page.select(".eqno")]
    assert sorted(re.findall(r"\\tag\{([\d.]+)\}", text)) == sorted(numbers)


@pytest.mark.parametrize("path", CHAPTERS)
def test_figures_bear_the_numbers_of_the_page(path):
    cells = [cell for kind in KINDS[:2] for cell in notebook(name_of(path, kind)).cells]
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    shown = set(re.findall(r"# (Figure [\d.]+)$", code, re.MULTILINE))
    page = {found.get_text().strip() for found in parsed(path).select("figcaption .caption-number")}
    assert shown == {" ".join(name.split()) for name in page}


@pytest.mark.parametrize("path", CHAPTERS)
def test_excursions_have_the_names_and_needs_of_the_page(path):
    text, shown = text_of(name_of(path, "-excursions")), parsed(path).select("section.excursion")
    assert shown
    for section in shown:
        letter = section.h2.get_text().split()[0]
        told = " ".join(section.select_one(".excursion-head").get_text().split())
        assert re.search(rf"^## {re.escape(letter)} ", text, re.MULTILINE)
        assert f"*Excursion {letter}. {told}*" in text


def test_signposts_of_the_first_chapter_are_sentences_that_lead_to_the_excursions():
    text, lines = text_of(name_of(CHAPTERS[0])), parsed(CHAPTERS[0]).select(".signpost")
    assert len(lines) > 3
    for line in lines:
        letter, words = " ".join(line.get_text().split()).split(" ", 1)
        needs = re.search(r"\d+ min(, uses .*)?\.$", words)[0]
        link = re.escape(f"**[{letter}]({name_of(CHAPTERS[0], '-excursions')})**")
        assert re.search(rf"^{link} .*{re.escape(needs)}$", text, re.MULTILINE)


@pytest.mark.parametrize("name", PUBLISHED)
def test_links_lead_to_notebooks_beside_it_and_to_places_of_the_book(name):
    base = "https://margins-of-attention.github.io/margins-of-attention/"
    for address in re.findall(r"\]\(([^()\s]+)\)", text_of(name)):
        if address.startswith(base):
            page, _, place = address.removeprefix(base).partition("#")
            assert (SITE / page).is_file(), address
            assert not place or place in ids(page), address
        elif "://" not in address:
            assert (FOLDER / address).is_file(), address
