"""A small chapter as it is written: what is folded at which depth, the lines that say so, excursions."""

import re

import pytest
from docutils import nodes

from extensions.pages.depths import is_open, letters, lines, minutes_by_depth, times
from extensions.pages.dropdowns import fold
from tests.small_book import NOTEBOOK, SmallSite, said

NEEDS = "1\N{NO-BREAK SPACE}min, uses Theorem\N{NO-BREAK SPACE}1.1."
CHAPTER = (
    NOTEBOOK
    + """
## First part

:::{prf:theorem} A sum
:label: sum
:words: Twice $x$ is $x$ and $x$.

For every $x$ the sum $x+x$ is $2x$.
:::

:::{prf:proof}
Count.
:::

**Checked for one number.** It is three.

```{code-cell} python
x = 3
```

```{code-cell} python
print("the gap is", -0.25)
assert 2 * x == x + x
```

:::{prf:lemma} Helping $y$
:label: help

It helps.
:::

:::{prf:proof}
:class: dropdown

"""
    + "It does help, as one sees by looking at it. " * 6
    + """
:::

```{code-cell} python
y = 1
y
```

The numbers of the table:

```{code-cell} python
z = 2
```

```{code-cell} python
print("sizes  sum")
print("    2    4")
assert z + z == 4
```

:::{admonition} Erratum: signs
:class: erratum
A source has $-x$.
:::

```{code-cell} python
assert -x != x
```

:::{admonition} A misreading
:class: erratum
Nobody says so.
:::

```{signpost} turns
How it turns by $x$.
```

```{exercise-start} Do it · prove ★★
:label: do-it
```
:::{prf:proof}
Of an exercise.
:::
```{exercise-end}
```

## Exercises

(turns)=
## Turns and *twists*

```{excursion} B
:uses: sum
```

Words of the excursion.

### Deeper

:::{prf:theorem} Turning
:label: turning

It turns.
:::
"""
)


@pytest.fixture(scope="module")
def site(small_book):
    return SmallSite(small_book, {"chapters/06_small": CHAPTER}).build()


def test_each_part_is_folded_to_a_line_that_says_what_is_inside(chapter):
    assert [said(fold.summary) for fold in chapter.select("details.deep")] == [
        "Checked for one number",
        "Proof, 3 lines",
        "Code, 1 line",
        "Checked",
        "Often printed otherwise: signs",
        "A misreading",
        "Excursion 6.B, 1 line",
    ]


def test_the_words_stand_before_the_statement(chapter):
    title, words, statement = chapter.find(id="sum").find_all(recursive=False)
    assert words["class"] == ["in-words"]
    assert words.find("math")
    assert "admonition-title" in title["class"]
    assert statement.get_text().strip().startswith("For every")


def test_folds_hold_what_belongs_together_and_are_open_where_no_script_runs(chapter):
    assert all(fold.has_attr("open") for fold in chapter.select("details.deep"))
    check = chapter.select_one(".check-fold")
    assert check.p.get_text().startswith("It is three.")
    assert len(check.select(".cell")) == 2
    assert [len(box.select(".cell")) for box in chapter.select(".printed-fold")] == [1, 0]
    assert not chapter.select(".exercise details.deep")  # proofs of exercises stay as they are
    table = next(pre for pre in chapter.select(".cell_output pre") if "sizes" in pre.get_text())
    assert not table.find_parents("details")  # a sentence that ends with a colon announces it
    check = table.find_parent(class_="cell").find("details", class_="check-fold")
    assert "assert z + z" in check.get_text()


def test_printed_words_wrap_and_columns_do_not_and_stars_stay_with_their_kind(chapter):
    outputs = chapter.select(".cell_output .output")
    printed = {output.get_text().split()[0]: output["class"] for output in outputs}
    assert "wraps" in printed["the"]
    assert "wraps" not in printed["sizes"]
    title = chapter.select_one(".exercise .admonition-title").get_text()
    assert "prove\N{NO-BREAK SPACE}★★" in title


def test_the_switch_names_minutes_and_its_group_on_chapters_alone(chapter, site):
    group = chapter.select_one("header.book .depth")
    assert group["aria-label"] == "How much of the page is open"
    assert [said(button) for button in group.find_all("button")] == ["Chapter 5 min", "Everything 5 min"]
    pressed = [button["value"] for button in group.find_all("button") if button["aria-pressed"] == "true"]
    assert pressed == ["chapter"]
    text = site.read("page.html")
    assert 'class="depth"' not in text
    assert "chapter.js" not in text


def test_an_excursion_has_a_letter_a_head_a_signpost_and_all_else_in_its_fold(chapter):
    section = chapter.select_one("section.excursion")
    heading, head, folded = section.find_all(["h2", "p", "details"], recursive=False)
    assert heading.get_text().startswith("6.B Turns and twists")
    assert head.get_text() == f"{NEEDS} Nothing in the spine uses it."
    assert head.a["href"] == "#sum"
    assert folded.find(id="turning")
    assert folded.find("h3")
    line = chapter.select_one(".signpost")
    assert line.get_text() == f"6.B How it turns by x. {NEEDS}"
    assert line.a["href"] == "#turns-and-twists"
    for contents in (".on-this-page", "header.book nav"):
        shown = [item.a.get_text() for item in chapter.select(f"{contents} li.excursion")]
        assert shown == ["6.B Turns and twists 1\N{NO-BREAK SPACE}min"]


def test_a_search_names_the_excursion_and_ranks_it_below(site):
    places = site.folder / "_build/.doctrees/search/chapters/06_small"
    told = (places / "turns-and-twists.html").read_text()
    assert "Excursion 6.B Turns and twists" in told
    assert weights(told) == {"0.6"}
    assert weights((places / "deeper.html").read_text()) == {"0.6"}
    assert weights((places / "turning.html").read_text()) == {"0.6"}
    first = (places / "first-part.html").read_text()
    assert weights(first) == {"1"}
    assert "Often printed" not in first  # the lines of folds are no words of the page
    assert "the sum" in (places / "sum.html").read_text()


def weights(told):
    return set(re.findall(r'data-pagefind-weight="([\d.]+)"', told))


FIRST, *OTHERS = [
    ("{excursion} B", "{excursion} BB", "'BB' is no letter"),
    (":uses: sum", ":uses: sun", "uses 'sun', which is the label of no result or excursion"),
    ("{signpost} turns", "{signpost} twists", "no excursion of this page is called 'twists'"),
    ("### Deeper", "```{excursion} C\n```", "begins with its directive"),
]


@pytest.mark.parametrize(
    ("before", "after", "problem"), [FIRST, *(pytest.param(*one, marks=pytest.mark.full) for one in OTHERS)]
)
def test_what_is_wrong_is_named_with_its_line(site, before, after, problem):
    told = site.refusal("chapters/06_small", before, after)
    assert problem in told
    assert re.search(r"06_small\.md:\d+", told)


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
