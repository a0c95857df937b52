"""Faults of a record of draws are found: it is of other code, or the page says other shares."""

from dataclasses import replace

import pytest

from margins_book.chapters import chapters
from margins_book.draws import CHECK, DRAWS, Row, write_rows
from margins_course.assignments.check_cells import digests
from tests.check_cells.draws_said import faults
from tests.check_cells.worked import WORKED
from tests.small_chapter import small_chapter

PAGE = """(x-one)=
## One

```{code-cell} ipython3
assert 1 + 1 == 2
```

Words.

```{code-cell} ipython3
assert 2 + 2 == 4
```
"""


@pytest.fixture
def page(tmp_path):
    return small_chapter(tmp_path, PAGE)


def record(page, **changes):
    """A record in which the second check has these entries."""
    codes = digests(page)
    rows = [Row(CHECK, name, DRAWS, DRAWS, 0, "", "", code) for name, code in codes.items()]
    write_rows(page, [rows[0], replace(rows[1], **changes)])


def test_a_record_of_the_page_as_it_is_has_no_fault(page):
    record(page)
    assert list(faults(page)) == []
    record(page, draws=0, held=0)
    assert list(faults(page)) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"digest": "0"}, "x-one-2: its code, or what it needs, has changed"),
        ({"name": "x-two-1"}, "x-two-1: recorded, but no check of the page"),
        ({"name": "x-two-1"}, "x-one-2: not recorded"),
        ({"draws": 3, "held": 3}, "x-one-2: 3 draws are recorded, expected 20"),
        ({"held": 19, "not_reached": 1}, "x-one-2: 1 draws do not reach it"),
        ({"held": 17, "denied_in": "4"}, "x-one-2 holds in 17 of 20 draws (draw 4 denies"),
    ],
)
def test_a_fault_of_the_record_is_named(page, changes, message):
    record(page, **changes)
    assert any(message in fault for fault in faults(page))


@pytest.mark.parametrize(
    "said",
    [
        PAGE.replace("2 == 4", "2 == 4  # holds in 17 of 20 draws"),
        PAGE.replace("Words.", "This holds in 17\nof 20 draws."),
        PAGE + "\nThis holds in 17 of 20 draws.\n",
    ],
)
def test_a_share_may_be_said_in_the_cell_or_beside_it(tmp_path, said):
    page = small_chapter(tmp_path, said)
    record(page, held=17)
    assert list(faults(page)) == []
    record(page, held=18)
    assert len(list(faults(page))) == 2


@pytest.mark.parametrize(
    "chapter", [one for one in chapters() if one.number in WORKED], ids=lambda chapter: chapter.page.stem
)
def test_a_chapter_that_was_worked_through_says_what_its_record_says(chapter):
    assert list(faults(chapter)) == []
