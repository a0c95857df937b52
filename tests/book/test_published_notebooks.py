"""The notebooks that the site publishes: no directive of this book's own, excursions at the end."""

import json
import re

import pytest

from extensions.coursework.notebook_markdown import COLLAPSED, TAG
from tests.book.conftest import CHAPTERS, SITE, parsed

OURS = re.compile(r"\{(?:signpost|excursion|said)\}|^:words:|^:uses:|^% uses", re.MULTILINE)


def cells_of(path):
    name = path.rpartition("/")[2].replace(".html", ".ipynb")
    return json.loads((SITE / "notebooks" / name).read_text("utf8"))["cells"]


def text_of(cell):
    return "".join(cell["source"])


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_directive_of_ours_is_left(path):
    found = [text_of(cell) for cell in cells_of(path) if cell["cell_type"] == "markdown"]
    assert not [text for text in found if OURS.search(text)]


@pytest.mark.parametrize("path", CHAPTERS)
def test_excursions_stand_last_each_collapsed_below_its_heading(path):
    cells, page = cells_of(path), parsed(path)
    tags = [TAG in cell["metadata"].get("tags", []) for cell in cells]
    start = tags.index(True)
    assert all(tags[start:])
    heads = [text_of(cell) for cell in cells if cell["metadata"].get(COLLAPSED)]
    shown = page.select("section.excursion")
    assert len(heads) == len(shown) > 0
    for head, section in zip(heads, shown, strict=True):
        heading, line = (part.strip() for part in head.rsplit("\n\n", 1))
        letter = section.h2.get_text().split()[0]
        assert re.search(rf"^## {re.escape(letter)} ", heading, re.MULTILINE)
        told = " ".join(section.select_one(".excursion-head").get_text().split())
        assert line == f"*Excursion {letter}. {told}*"


def test_signposts_of_the_first_chapter_are_sentences_with_a_letter():
    text = "\n".join(map(text_of, cells_of(CHAPTERS[0])))
    page = parsed(CHAPTERS[0])
    lines = page.select(".signpost")
    assert len(lines) > 3
    for line in lines:
        letter, words = " ".join(line.get_text().split()).split(" ", 1)
        needs = re.search(r"\d+ min(, uses .*)?\.$", words)[0]
        assert re.search(rf"^\*\*{re.escape(letter)}\*\* .*{re.escape(needs)}$", text, re.MULTILINE)
