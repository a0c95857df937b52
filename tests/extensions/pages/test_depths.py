"""A small chapter as it is written: what is folded at which depth, the lines that say so, excursions."""

import re
import shutil

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from extensions.pages.depths import is_open, letters, lines, minutes_by_depth, times
from extensions.pages.dropdowns import fold
from tests.small_book import NOTEBOOK, build

NEEDS = "1\N{NO-BREAK SPACE}min, uses Theorem\N{NO-BREAK SPACE}1.1."
CHAPTER = (
    NOTEBOOK
    + """
## First part

:::{prf:theorem} A sum
:label: sum

For every $x$ the sum $x+x$ is $2x$.
:::

```{signpost} turns
How it turns by $x$.
```

## Exercises

```{exercise-start} Do it · prove ★★
:label: do-it
```
Prove that $2>1$.
```{exercise-end}
```

:::{solution-start} do-it
:class: dropdown
:::
The secret is counting.
:::{solution-end}
:::

(turns)=
## Turns and *twists*

```{excursion} B
:uses: sum
```

Words of the excursion.

### Deeper

It turns.
"""
)
CONTENTS = """format: jb-book
root: page
parts: [{caption: Chapters, numbered: 1, chapters: [{file: chapters/06_small}]}]
"""


def built(folder, text=CHAPTER):
    """What the build of the small book with this chapter says."""
    (folder / "chapters").mkdir(exist_ok=True)
    (folder / "chapters/06_small.md").write_text(text)
    (folder / "_toc.yml").write_text(CONTENTS)
    return build(folder, NOTEBOOK)


@pytest.fixture(scope="module")
def site(small_book):
    result = built(small_book)
    assert result.returncode == 0, result.stderr
    return small_book / "_build/html"


@pytest.fixture(scope="module")
def chapter(site):
    return BeautifulSoup((site / "chapters/06_small.html").read_text(), "html.parser")


def said(element):
    return " ".join(element.get_text().split())


def test_an_excursion_has_a_letter_a_head_a_signpost_and_all_else_in_its_fold(chapter):
    section = chapter.select_one("section.excursion")
    heading, head, folded = section.find_all(["h2", "p", "details"], recursive=False)
    assert heading.get_text().startswith("6.B Turns and twists")
    assert head.get_text() == f"{NEEDS} Nothing in the spine uses it."
    assert head.a["href"] == "#sum"
    assert folded.find("h3")
    line = chapter.select_one(".signpost")
    assert line.get_text() == f"6.B How it turns by x. {NEEDS}"
    assert line.a["href"] == "#turns-and-twists"


FIRST, *OTHERS = [
    ("{excursion} B", "{excursion} BB", "'BB' is no letter"),
    (":uses: sum", ":uses: sun", "uses 'sun', which is the label of no result or excursion"),
    ("{signpost} turns", "{signpost} twists", "no excursion of this page is called 'twists'"),
    ("### Deeper", "```{excursion} C\n```", "begins with its directive"),
]


@pytest.mark.parametrize(
    ("before", "after", "problem"), [FIRST, *(pytest.param(*one, marks=pytest.mark.full) for one in OTHERS)]
)
def test_what_is_wrong_is_named_with_its_line(small_book, before, after, problem):
    assert before in CHAPTER
    told = built(small_book, CHAPTER.replace(before, after))
    assert told.returncode != 0
    assert problem in told.stderr
    assert re.search(r"06_small\.md:\d+", told.stderr)


def test_lines_count_what_is_seen_and_rows_of_formulas():
    assert lines(nodes.paragraph("", "x" * 88)) == ", 1 line"
    assert lines(nodes.paragraph("", "x" * 220), nodes.paragraph("", "x" * 220)) == ", 5 lines"
    assert letters(nodes.math("", r"\lVert W_k\rVert")) == 4
    assert letters(nodes.math_block("", r"a \\ b")) == 2 * 88


def test_minutes_are_those_of_what_is_open():
    text = nodes.paragraph("", "word " * 1500)
    inside = nodes.paragraph("", "word " * 1500)
    hint = fold("", nodes.title("", ""), nodes.paragraph("", "word " * 1500))  # shut in both, and counted
    page = nodes.section("", text, hint, fold("", nodes.title("", ""), inside, classes=["deep"]))
    assert list(times(minutes_by_depth(page))) == [
        ("chapter", "Chapter", "20 min"),
        ("everything", "Everything", "30 min"),
    ]
    assert [is_open(part, "chapter") for part in (text, inside)] == [True, False]


def test_withheld_solutions_are_on_no_page_in_no_twin_and_in_no_notebook(small_book, site):
    config = small_book / "_config.yml"
    shown = config.read_text()
    config.write_text(shown.replace("coursework_show_solutions: true", "coursework_show_solutions: false"))
    notebooks = site / "notebooks"
    shutil.rmtree(notebooks)
    assert built(small_book).returncode == 0
    for name in ("chapters/06_small.html", "chapters/06_small.md", "notebooks/06_small.ipynb"):
        told = (site / name).read_text()
        assert "Prove that" in told
        assert "secret" not in told
        assert "A solution" not in told
    assert not list(notebooks.glob("*-solutions.ipynb"))
