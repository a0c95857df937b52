"""The run of all experiments: recorded, and reported on the page that stands in the book."""

import re

import jupytext
import numpy as np
import pytest

from margins_book.chapters import ROOT
from margins_book.experiments import recorded
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.estimates import Estimate
from margins_book.experiments.paper import (
    TEMPLATE,
    agree,
    markdown_table,
    published_beside_ours,
    run_paper,
)
from margins_book.experiments.published import published
from margins_book.experiments.report import table_of
from tests.margins_book.experiments.test_catalogue import SMALL

PAGE = ROOT / "book" / "paper.md"


class Small:
    """An experiment with two blocks of two problems, of several tokens one of forty."""

    def __init__(self, name):
        self.whole, (settings, self.cell) = EXPERIMENTS[name], SMALL[name]
        self.block = 40 if name == "several-tokens" else 2
        self.SETTINGS = self.whole.SETTINGS | settings | {"block": self.block}
        self.estimates, self.measure = self.whole.estimates, self.whole.measure
        self.RECORDED = getattr(self.whole, "RECORDED", {})
        pictures = [{"picture": name} for name in ("clusters", "fan")]
        self.PROBLEMS = [(size, 4) for size in (pictures if "picture" in self.cell else [self.cell])]


@pytest.mark.full
def test_the_page_reports_what_ran(tmp_path, monkeypatch):
    for name in list(EXPERIMENTS):
        monkeypatch.setitem(EXPERIMENTS, name, Small(name))
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    runs = run_paper(tmp_path / "results", tmp_path / "paper.md", workers=1, verbose=0)
    text = (tmp_path / "paper.md").read_text()
    assert list(runs) == list(EXPERIMENTS)
    assert "%%" not in text
    for name, one in runs.items():
        assert recorded.read(name)[0]["settings"] == EXPERIMENTS[name].SETTINGS
        table, expected = recorded.recorded(name), one.table()
        assert table.keys() - {"gap"} == expected.keys() - {"gap"}
        assert {len(column) for column in table.values()} == {len(expected["seed"])}
        row = rf"^\| \[{name}\]\(#experiment-{name}\) \| \d+ \| (\d\.\de-\d+|no SVM.*) \| \d+\.\d \|$"
        assert re.search(row, text, re.MULTILINE), name
        assert f"\n(experiment-{name})=\n## " in text
    assert f"| {published('several-tokens')['d=4', 'mean single'].value:g} |" in text


def test_tables_of_the_page_have_columns_of_equal_length_and_code_that_parses():
    """In the page that stands in the book, and in the template that it is made from."""
    text = PAGE.read_text()
    tables = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    assert len(tables) == 1 + 3 + len(EXPERIMENTS)  # what ran, three with published values, all numbers
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    cells = [cell for cell in jupytext.read(PAGE, fmt="md:myst").cells if cell.cell_type == "code"]
    assert len(cells) == 1 + len(EXPERIMENTS)
    for cell in cells:
        compile(cell.source, "paper.md", "exec")
    named = re.findall(r"^%% table (.+)$", TEMPLATE.read_text(), re.MULTILINE)
    assert named == re.findall(r"^\(experiment-(.+)\)=$", text, re.MULTILINE)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
ONE = "1.0e+00 (1.0e+00 to 1.0e+00)"  # an interval whose ends are one number as they are recorded


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_page_of_the_book_shows_the_estimates_of_the_record(name):
    """Up to the rounding of the record, which has two to four digits."""
    table = markdown_table(*table_of(name, EXPERIMENTS[name].estimates(recorded.recorded(name))))
    page = PAGE.read_text().partition(f"(experiment-{name})=")[2].replace(ONE, "1")
    ours = table.replace(ONE, "1").splitlines()
    theirs = page[page.index(ours[0]) :].splitlines()[: len(ours)]
    assert [NUMBER.sub("0", line) for line in ours] == [NUMBER.sub("0", line) for line in theirs]
    made, shown = (np.array(NUMBER.findall("".join(lines)), dtype=float) for lines in (ours, theirs))
    np.testing.assert_allclose(made, shown, rtol=0.04, atol=5e-4)


def test_published_values_stand_beside_ours_and_agree_or_not():
    ours = Estimate(0.15, 0.14, 0.16)
    text = published_beside_ours({"several-tokens": [({"d": 4}, {"mean single": ours, "mean across": ours})]})
    assert text.startswith("1 of 1 published values agree")
    assert "[several-tokens](#experiment-several-tokens), read off the plots in multi_token" in text
    assert "| d=4 | mean single | 0.156 | 0.150 (0.140 to 0.160) | yes |" in text
    assert [agree(value, ours) for value in (0.164, 0.1645, 0.1355)] == [True, False, False]  # .01 sqrt 2
