"""Bounds that nothing holds are listed with their factor; those near, declared or attained are not."""

import pytest

from tests.check_cells.sharpness import inequalities, report
from tests.small_chapter import small_chapter

PAGE = """(x-one)=
## One

```{code-cell} ipython3
from margins_book.checking.bounds import bounded
measured, bound = 2.0, 14.0
CELL
```
"""


@pytest.fixture
def listed(tmp_path):
    def report_of(cell):
        chapter = small_chapter(tmp_path, PAGE.replace("CELL", cell))
        return report(inequalities(chapter), unheld=True).splitlines()[1:]

    return report_of


@pytest.mark.parametrize(
    "cell",
    [
        "assert measured <= bound / 6",
        "bounded(measured, bound, slack=7.5)",
        "assert measured <= bound\nbounded(14.0, bound, slack=1)",
        "assert measured <= bound and abs(bound - 14) < 1e-12",
        "assert measured <= 9",
    ],
)
def test_what_is_held_is_not_listed(listed, cell):
    assert listed(cell) == []


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("assert measured <= bound", "7: measured <= bound"),
        ("assert measured <= bound and abs(measured - 2) < 1e-12", "7: measured <= bound"),
        ("assert measured / bound <= 1", "7: measured / bound <= 1"),
        ("bounded(measured, bound, slack=25)", "7: bounded(measured, bound, slack=25)"),
    ],
)
def test_a_slack_bound_is_listed_with_its_factor(listed, cell, words):
    assert listed(cell) == [f"  x-one-1 [bound] {words} (UNHELD)"]
