"""Check cells are found, named after what they check, and kept with what they need alone."""

import pytest

from margins_book.chapters import chapters
from margins_course.assignments.check_cells import pieces
from tests.small_chapter import small_chapter

PAGE = """```{code-cell} ipython3
unused, total = 1, 2
never = 1 / 0
```

:::{prf:theorem}
:label: x-thm-sum
:::

```{code-cell} ipython3
double = 2 * total
assert double == 4
```

```{code-cell} ipython3
def half(x):
    assert x % 2 == 0
    return x // 2
assert half(double) == total
```

(x-section)=
## A section

```{code-cell} ipython3
assert total == 2
```
"""


@pytest.fixture
def page(tmp_path):
    return small_chapter(tmp_path, PAGE, "99_sums")


def test_checks_are_named_after_the_label_before_them_and_counted(page):
    assert [piece.check for piece in pieces(page)] == ["", "x-thm-sum-1", "x-thm-sum-2", "x-section-1"]


def test_only_what_the_checks_need_is_kept(page):
    sources, names = [piece.source for piece in pieces(page)], {}
    assert "total" in sources[0]
    assert "never" not in sources[0]
    for source in sources:
        exec(source, names)
    assert names["double"] == 4


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.page.stem)
def test_each_check_of_a_chapter_has_a_name_of_its_own(chapter):
    names = [piece.check for piece in pieces(chapter) if piece.check]
    assert len(names) == len(set(names)) >= 8
