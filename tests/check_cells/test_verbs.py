"""The verbs that keep records try what has changed alone, and say so where nothing has."""

import argparse

import numpy as np
import pytest

from margins_book import draws as draws_record
from margins_book.draws import CHECK
from margins_book.false_versions import read_rows
from margins_course.assignments.check_cells import digests
from tests.check_cells.__main__ import mutants
from tests.check_cells.draws import draw, trial
from tests.small_chapter import small_chapter

PAGE = """```{code-cell} ipython3
import numpy as np
x = np.random.default_rng(0).uniform(size=3)
```

(x-one)=
## One

```{code-cell} ipython3
y = 3 * x
assert np.allclose(y / x, 3)
```

(x-two)=
## Two

```{code-cell} ipython3
assert np.allclose(np.log(np.exp(x)), x)
```
"""
OPTIONS = argparse.Namespace(all=False, draws=2, jobs=1, dry_run=False)


@pytest.fixture
def page(tmp_path):
    """A page of two checks with records of both, of which the second has changed since."""
    chapter = small_chapter(tmp_path, PAGE)
    mutants(chapter)
    draw(chapter, CHECK, OPTIONS)
    small_chapter(tmp_path, PAGE.replace("np.log(np.exp(x)), x", "np.exp(np.log(x)), x"))
    return chapter


def mark(chapter):
    """Writes words into the records that only a check that is tried again loses."""
    for name in ("false_versions.csv", "draws.csv"):
        record = chapter.folder / name
        record.write_text(record.read_text().replace(",refused,", ",stopped,").replace(",2,2,", ",2,1,"))


@pytest.fixture
def marked(page):
    mark(page)
    return page


def kept(chapter):
    """By check, whether the records still say of it what was marked."""
    versions = {row.check: row.outcome == "stopped" for row in read_rows(chapter)}
    drawn = {row.name: row.held == 1 for row in draws_record.read_rows(chapter)}
    assert versions == drawn
    return versions


def test_a_check_that_is_tried_alone_meets_the_numbers_of_the_whole_page(page):
    """A generator is shared, from which an earlier check that has not changed draws."""
    page.page.write_text(PAGE.replace("y = 3", "rng = np.random.default_rng(5)\nz = rng.normal()\ny = 3"))
    text = page.page.read_text(encoding="utf-8").replace("x)), x)", "x)), x) and rng.normal() < LIMIT")
    second = np.random.default_rng(5).normal(size=2)[1]
    page.page.write_text(text.replace("LIMIT", str(second + 1e-9)), encoding="utf-8")
    drawn = trial(page, CHECK, {"x-two-1"})(0)
    assert not drawn["x-two-1"].denied
    page.page.write_text(text.replace("LIMIT", str(second - 1e-9)), encoding="utf-8")
    assert trial(page, CHECK, {"x-two-1"})(0)["x-two-1"].denied


def test_only_a_changed_check_is_tried_and_the_order_is_that_of_the_page(marked, capsys):
    mutants(marked)
    draw(marked, CHECK, OPTIONS)
    assert kept(marked) == {"x-one-1": True, "x-two-1": False}
    assert list(kept(marked)) == list(digests(marked))
    assert "1 checks, 1 with random numbers" in capsys.readouterr().out


def test_all_are_tried_again_if_asked(marked):
    mutants(marked, everything=True)
    draw(marked, CHECK, argparse.Namespace(**(vars(OPTIONS) | {"all": True})))
    assert kept(marked) == {"x-one-1": False, "x-two-1": False}


def test_a_dry_run_keeps_the_record(marked):
    mutants(marked, dry_run=True)
    draw(marked, CHECK, argparse.Namespace(**(vars(OPTIONS) | {"dry_run": True})))
    assert kept(marked) == {"x-one-1": True, "x-two-1": True}


def test_rows_of_a_check_that_is_gone_are_dropped(marked):
    marked.page.write_text(PAGE.partition("(x-two)=")[0], encoding="utf-8")
    mutants(marked)
    draw(marked, CHECK, OPTIONS)
    assert kept(marked) == {"x-one-1": True}


def test_nothing_is_tried_where_nothing_has_changed(page, capsys):
    for _ in range(2):
        capsys.readouterr()
        mutants(page)
        draw(page, CHECK, OPTIONS)
    assert capsys.readouterr().out.count("nothing to try") == 2


def test_survivors_without_a_reason_are_named_whether_tried_or_not(page, capsys):
    record = page.folder / "false_versions.csv"
    record.write_text(record.read_text().replace(",refused,", ",survived,"))
    survivors = [row.name for row in read_rows(page) if row.survived and row.check == "x-one-1"]
    mutants(page, dry_run=True)
    assert capsys.readouterr().out.splitlines()[:-1] == survivors != []


def test_other_numbers_of_draws_are_tried(page, capsys):
    draw(page, CHECK, argparse.Namespace(**(vars(OPTIONS) | {"draws": 3})))
    assert {row.draws for row in draws_record.read_rows(page)} == {3}
