"""The page that reports a run of all experiments: its tables, and published values beside ours."""

import re

import jupytext
import pytest

from margins_book.chapters import ROOT
from margins_book.experiments import recorded
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.estimates import Estimate
from margins_book.experiments.page import TEMPLATE, agree, markdown_table, published_beside_ours
from margins_book.experiments.report import table_of


def test_tables_of_the_page_have_columns_of_equal_length_and_code_that_parses():
    """In the page that stands in the book, and in the template that it is made from."""
    page = ROOT / "book" / "paper.md"
    text = page.read_text()
    tables = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    assert len(tables) == 1 + 3 + len(EXPERIMENTS)  # what ran, three with published values, all numbers
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    cells = [cell for cell in jupytext.read(page, fmt="md:myst").cells if cell.cell_type == "code"]
    assert len(cells) == 1 + len(EXPERIMENTS)
    for cell in cells:
        compile(cell.source, "paper.md", "exec")
    assert re.findall(r"^%% table (.+)$", TEMPLATE.read_text(), re.MULTILINE) == re.findall(
        r"^\(experiment-(.+)\)=$", text, re.M
    )


@pytest.mark.parametrize("name", ["ranks", "feasibility"])
def test_the_page_of_the_book_shows_the_recorded_results(name):
    """To the digit where what is recorded are counts of integers, which rounding leaves alone."""
    text = (ROOT / "book" / "paper.md").read_text()
    estimates = EXPERIMENTS[name].estimates(recorded.recorded(name))
    assert markdown_table(*table_of(name, estimates)) in text


def test_published_values_stand_beside_ours_and_agree_or_not():
    ours = Estimate(0.15, 0.14, 0.16)
    text = published_beside_ours({"several-tokens": [({"d": 4}, {"mean single": ours, "mean across": ours})]})
    assert text.startswith("1 of 1 published values agree")
    assert "[several-tokens](#experiment-several-tokens), read off the plots in multi_token" in text
    assert "| d=4 | mean single | 0.156 | 0.150 (0.140 to 0.160) | yes |" in text
    assert [agree(value, ours) for value in (0.164, 0.1645, 0.1355)] == [True, False, False]  # .01 sqrt 2
