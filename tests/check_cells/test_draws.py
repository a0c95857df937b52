"""Draws of a small page: which checks are random, how often each holds, what denies it, what is recorded."""

import numpy as np
import pytest

from margins_book.draws import CHECK
from margins_course.assignments.check_cells import digests, pieces
from tests.check_cells.draws import outcomes
from tests.check_cells.outcomes import report, rows_of
from tests.small_chapter import small_chapter

PAGE = """```{code-cell} ipython3
import numpy as np
from numpy.linalg import norm
x = np.random.default_rng(0).normal(size=3)
```

(x-always)=
## Always

```{code-cell} ipython3
assert len(x) == 3 and abs(x @ x / norm(x) ** 2 - 1) < 1e-12 and norm(x) > 0
```

(x-fixed)=
## Nothing random

```{code-cell} ipython3
assert len(x) == 3 and 1 + 1 == 2  # one
```

(x-lucky)=
## Lucky

```{code-cell} ipython3
first = next(v for v in x if v > 0)
assert x[0] > 0
```

(x-after)=
## After

```{code-cell} ipython3
assert first > 0
```
"""
DRAWS = 8


@pytest.fixture
def page(tmp_path):
    return small_chapter(tmp_path, PAGE, "99_lucky")


@pytest.fixture
def drawn(page):
    return [outcomes(pieces(page), draw) for draw in range(DRAWS)]


def expected():
    """The numbers of the page in all draws, by the rule that the module of seeds documents."""
    return [np.random.default_rng(1000 * draw).normal(size=3) for draw in range(DRAWS)]


def test_the_share_that_holds_is_that_of_the_numbers_themselves(page, drawn):
    rows = {row.name: row for row in rows_of(CHECK, digests(page), drawn)}
    firsts = [x[0] > 0 for x in expected()]
    lost = sum((x < 0).all() for x in expected())
    assert (rows["x-always-1"].draws, rows["x-always-1"].held) == (DRAWS, DRAWS)
    assert rows["x-lucky-1"].held == sum(firsts) < DRAWS
    assert rows["x-lucky-1"].denied_in == str(firsts.index(False))
    assert rows["x-lucky-1"].denied_by.startswith("x[0] > 0: -")
    assert (rows["x-after-1"].not_reached, rows["x-after-1"].held) == (lost, DRAWS - lost)
    assert lost > 0


def test_a_check_that_compares_the_same_in_all_draws_is_not_random(page, drawn):
    row = next(row for row in rows_of(CHECK, digests(page), drawn) if row.name == "x-fixed-1")
    assert (row.draws, row.held, row.words) == (0, 0, "")


def test_the_report_names_each_failure_with_its_draws(page, drawn):
    said = report(CHECK, rows_of(CHECK, digests(page), drawn), drawn)
    denied = [draw for draw, x in enumerate(expected()) if x[0] <= 0]
    assert f"denied in draws {', '.join(map(str, denied))}: x[0] > 0: -" in said
    assert "4 checks, 3 with random numbers" in said
    assert "not reached in draw 4: first failed before" in said


def test_a_digest_changes_with_the_check_and_what_it_needs_alone(page):
    before = digests(page)
    page.page.write_text(PAGE.replace("# one", "# another remark"), encoding="utf-8")
    assert digests(page) == before
    page.page.write_text(PAGE.replace("x[0] > 0", "x[0] > -9"), encoding="utf-8")
    changed = {name for name, code in digests(page).items() if code != before[name]}
    assert changed == {"x-lucky-1"}
    page.page.write_text(PAGE.replace("if v > 0", "if v > 1"), encoding="utf-8")
    changed = {name for name, code in digests(page).items() if code != before[name]}
    assert changed == {"x-lucky-1", "x-after-1"}
