"""The notebooks that the site publishes: plain Markdown with the book's numbers, three for a chapter."""

import builtins
import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

from conftest import full
from margins_book.page.selection import bound_names, free_names
from tests.book.conftest import CHAPTERS, SITE, ids, parsed, said
from tests.raw_markdown import raw_in

FOLDER = SITE / "notebooks"
KINDS = ("", "-excursions", "-solutions")
PUBLISHED = sorted(path.name for path in FOLDER.glob("*.ipynb"))
CODE_LINES = 25  # of a cell that a reader sees
BASE = "https://margins-of-attention.github.io/margins-of-attention/"
RESULT = re.compile(r"(Definition|Theorem|Lemma|Proposition|Corollary) [\d.]+")
each_chapter = pytest.mark.parametrize("path", CHAPTERS)


def name_of(path, kind=""):
    return path.rpartition("/")[2].replace(".html", f"{kind}.ipynb")


def notebook(name):
    return nbformat.read(FOLDER / name, as_version=4)


def code_of(name):
    return [cell.source for cell in notebook(name).cells if cell.cell_type == "code"]


def text_of(name):
    return "\n\n".join(cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")


def text_of_chapter(path):
    return "\n\n".join(text_of(name_of(path, kind)) for kind in KINDS[:2])


@pytest.mark.parametrize("name", PUBLISHED)
def test_notebooks_are_valid_with_ids_of_their_own_and_no_metadata_of_sphinx(name):
    found, text = notebook(name), text_of(name)
    nbformat.validate(found)
    ids = [cell.id for cell in found.cells]
    assert len(set(ids)) == len(ids)
    assert not [cell for cell in found.cells if cell.get("outputs")]
    if "-exercises" not in name:
        assert set(found.metadata) == {"kernelspec", "language_info"}
        assert {key for cell in found.cells for key in cell.metadata} <= {"cellView", "jupyter"}
    assert text.count("<details>") == text.count("</details>")
    assert text.count("<summary>") == len(re.findall(r"</summary>\n\n\S", text))  # an empty line below it


@pytest.mark.parametrize("name", [PUBLISHED[0], *full(*PUBLISHED[1:])])
def test_a_plain_page_of_it_shows_nothing_raw(name):
    """As nbconvert makes it, which knows no more of Markdown than others."""
    html, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook(name))
    page = BeautifulSoup(html, "html.parser")
    for part in page.select("pre, code, script, style"):
        part.decompose()
    assert raw_in(page.get_text()) == []
    assert not page.select("blockquote")


@each_chapter
def test_each_of_the_three_begins_with_links_to_the_others_and_one_closed_cell_of_set_up(path):
    for kind in KINDS:
        head, *cells = notebook(name_of(path, kind)).cells
        for other in {*KINDS} - {kind}:
            assert re.search(
                rf"\]\({name_of(path, other)}\) \(\[in Colab\]\(\S+{name_of(path, other)}\)", head.source
            )
        code = [cell for cell in cells if cell.cell_type == "code"]
        closed = [cell.metadata.get("jupyter", {}).get("source_hidden", False) for cell in code]
        assert closed == [True] + [False] * (len(code) - 1)
        assert cells[0].source.startswith("#@title Set-up")
        assert "%pip install --quiet" in cells[0].source


@each_chapter
def test_each_has_all_that_its_cells_use(path):
    """No name that a cell reads is set in another notebook alone."""
    for kind in KINDS:
        set_up, *cells = code_of(name_of(path, kind))
        sources = [set_up.partition('@main"\n')[2], *cells]
        known = {*dir(builtins), "display"}.union(*map(bound_names, sources))
        for source in sources:
            assert free_names(source) <= known | {*re.findall(r"\((\w+) :=", source)}, source


@each_chapter
def test_cells_are_short_and_say_nothing_to_tests(path):
    cells = code_of(name_of(path))[1:]
    assert [source for source in cells if source.count("\n") >= CODE_LINES] == []
    assert [source for source in cells if "# The text:" in source or "### BEGIN" in source] == []


@each_chapter
def test_statements_equations_and_figures_bear_the_numbers_of_the_page(path):
    page, text = parsed(path), text_of_chapter(path)
    statements = [said(found) for found in page.select(".proof .caption-number")]
    assert statements
    assert [name for name in statements if f"**{name}" not in text] == []
    numbers = [found.get_text().strip("()#") for found in page.select(".eqno")]
    assert sorted(re.findall(r"\\tag\{([\d.]+)\}", text)) == sorted(numbers)
    code = "\n".join(source for kind in KINDS[:2] for source in code_of(name_of(path, kind)))
    shown = set(re.findall(r"# (Figure [\d.]+)$", code, re.MULTILINE))
    assert shown == {said(found) for found in page.select("figcaption .caption-number")}
    assert text_of(name_of(path)).count("??` in a cell shows the code of this figure") == 1


@each_chapter
def test_excursions_have_the_names_and_needs_of_the_page_and_signposts_lead_to_them(path):
    text, shown = text_of(name_of(path, "-excursions")), parsed(path).select("section.excursion")
    assert shown
    for section in shown:
        letter, told = section.h2.get_text().split()[0], said(section.select_one(".excursion-head"))
        assert re.search(rf"^## {re.escape(letter)} ", text, re.MULTILINE)
        assert f"*Excursion {letter}. {told}*" in text
    text = text_of(name_of(path))
    for line in parsed(path).select(".signpost"):
        letter, words = said(line).split(" ", 1)
        needs = re.search(r"\d+ min(, uses .*)?\.$", words)[0]
        link = re.escape(f"**[{letter}]({name_of(path, '-excursions')})**")
        assert re.search(rf"^{link} .*{re.escape(needs)}$", text, re.MULTILINE)


@each_chapter
def test_solutions_stand_apart_and_functions_are_left_to_the_reader(path):
    page, text, solutions = parsed(path), text_of_chapter(path), text_of(name_of(path, "-solutions"))
    there = len(page.select("details.solution"))
    assert text.count(f"[A solution]({name_of(path, '-solutions')})") == there
    names = re.findall(r"^## (Exercise [\d.]+): ", solutions, re.MULTILINE)
    asked = [said(number) for number in page.select(".exercise .caption-number")]
    assert names == [name for name in asked if name in names]
    assert len(names) == there
    left, solved = ("\n".join(code_of(name_of(path, kind))) for kind in KINDS[::2])
    left += "\n".join(code_of(name_of(path, "-excursions")))
    calls = [said(check.select_one(".cell_input")) for check in page.select(".tag_check")]
    for call in calls:
        assert f"# {call}  # take the first # away" in left
        assert call in solved
    assert left.count("raise NotImplementedError") >= len(calls) > 0
    assert "NotImplementedError" not in solved


@pytest.mark.parametrize("name", PUBLISHED)
def test_links_lead_to_notebooks_beside_it_and_to_places_of_the_book(name):
    """Results under their numbers, works under names and year."""
    for words, address in re.findall(r"(?<=[\[\]])([^\[\]]*)\]\(([^()\s]+)\)", text_of(name)):
        if address.startswith(BASE):
            page, _, place = address.removeprefix(BASE).partition("#")
            assert (SITE / page).is_file(), address
            assert not place or place in ids(page), address
            if place and RESULT.fullmatch(words):
                assert said(parsed(page).find(id=place).select_one(".caption-number")) == words, address
            if place and page == "book/references.html" and "-exercises" not in name:
                assert re.search(r", \d{4}\w?$| \(\d{4}\w?\)$", words), words
        elif "://" not in address:
            assert (FOLDER / address).is_file(), address
