"""The fold below a check: shown where its record is current, with what changed and what the check said."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from extensions.pages import false_versions
from extensions.pages.false_versions import fold, show_trials
from margins_book import draws
from margins_book.false_versions import Row
from margins_course.assignments.check_cells import digests
from tests.small_chapter import small_chapter

PAGE = """:::{prf:theorem}
:label: x-thm-sum
:::

```{code-cell} ipython3
total = 1 + 1
assert total == 2
```

```{code-cell} ipython3
print("no check")
```
"""
CHECK = "x-thm-sum-1"


def row(outcome="refused", said="total == 2: 3 == 2", change="total = 1 + 1 -> total = 1 + 2", digest=""):
    return Row(CHECK, change, outcome, said, digest)


def test_the_line_counts_and_the_list_tells_what_was_changed_and_said():
    rows = [row(), row("survived", "", "a < b -> a > b"), row("stopped", "")]
    html = fold(rows, {f"{CHECK}: a < b -> a > b": "slack: <half>"})
    assert "<summary>2 of 3 false versions refused</summary>" in html
    assert "<code>total = 1 + 1</code> → <code>total = 1 + 2</code>: " in html
    assert ": <code>total == 2: 3 == 2</code>" in html
    assert "<code>a &lt; b</code> → <code>a &gt; b</code>: not refused. slack: &lt;half&gt;" in html
    assert ": no end within its time" in html
    assert html.startswith("<details")
    assert " open" not in html.partition("<summary>")[0]


@pytest.mark.parametrize(("number", "shown"), [(4, 4), (5, 3), (23, 4)])
def test_of_many_some_are_shown_and_the_others_counted(number, shown):
    rows = [row(change=f"{k} -> x") for k in range(number)]
    rows += [row("survived", "", "a < b -> a > b")]
    html = fold(rows, {})
    assert html.count("total == 2: 3 == 2") == shown
    assert (f"and {number - shown} more" in html) == (number > shown)
    assert "a &gt; b" in html
    assert f"{number} of {number + 1} false versions" in html


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """A function that shows rows on a page of two cells and gives the folds below each cell."""
    chapter = small_chapter(tmp_path, PAGE, "99_sums")
    monkeypatch.setattr(false_versions, "chapters", lambda: (chapter,))
    monkeypatch.setattr(false_versions, "reasons_of", lambda chapter: {})

    def show(outcomes, digest=None, held=None):
        now = digests(chapter)[CHECK]
        rows = [row(outcome, digest=digest or now) for outcome in outcomes]
        monkeypatch.setattr(false_versions, "read_rows", lambda chapter: rows)
        drawn = [draws.Row(draws.CHECK, CHECK, 20, held, 0, "", "", digest or now)] if held else []
        monkeypatch.setattr(draws, "read_rows", lambda chapter: drawn)
        document = new_document("page")
        for code in ("total = 1 + 1\nassert total == 2", 'print("no check")'):
            document += nodes.container("", nodes.literal_block("", code), nb_element="cell_code")
        env = SimpleNamespace(docname="chapters/99_sums", note_dependency=lambda file: None)
        show_trials(SimpleNamespace(env=env), document)
        return [[part.astext() for part in cell.findall(nodes.raw)] for cell in document.children]

    return show


def test_only_the_cell_of_the_check_has_a_fold(shown):
    below_check, below_other = shown(["refused", "survived"])
    assert "1 of 2 false versions refused" in below_check[0]
    assert len(below_check) == 1
    assert below_other == []


def test_versions_that_state_less_are_not_shown(shown):
    assert "1 of 1 false versions" in shown(["refused", "weaker"])[0][0]


def test_what_is_recorded_of_an_earlier_check_is_not_shown(shown):
    assert shown(["refused"], digest="an earlier one") == [[], []]


def test_the_draws_of_a_check_stand_beside_its_versions_or_alone(shown):
    assert "1 of 1 false versions refused; holds in 17 of 20 draws" in shown(["refused"], held=17)[0][0]
    below_check, below_other = shown([], held=20)
    assert below_check == ['<div class="false-versions">Holds in 20 of 20 draws</div>']
    assert below_other == []


def test_draws_of_an_earlier_check_are_not_shown(shown):
    assert shown([], digest="an earlier one", held=20) == [[], []]
