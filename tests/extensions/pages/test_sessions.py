"""The plan of a session on a small chapter: minutes, polls, exercises, and what ends the build."""

import pytest
from bs4 import BeautifulSoup

from tests.small_book import NOTEBOOK, build

pytestmark = pytest.mark.full  # in `make test` the built site is looked at
CONTENTS = """format: jb-book
root: page
defaults: {titlesonly: false}
parts:
  - {caption: Chapters, numbered: 1, chapters: [{file: chapters/06_small}]}
  - {caption: Around, chapters: [{file: book/sessions/06_small}]}
"""
CHAPTER = (
    NOTEBOOK
    + """```{code-cell} python
from margins_book.softmax_kernel import figures
```

```{code-cell} python
figures.hidden_factor
```

::::{admonition} In this chapter
:class: card

You will be able to

- **add** numbers; {exercises}`sum, twice`
- **prove** it. {exercises}`twice`

*Before you start:* nothing.
*Running:* a second.
::::

## Quiz

::::{admonition} How much is $1+1$, by the way?
:class: quiz

1. One.
2. Two.

:::{admonition} Answers
:class: dropdown

1. No: you left one of the two out.
2. Right: it is the number after one.
:::
::::

## Exercises

"""
    + "".join(
        f"```{{exercise-start}} {title} · prove {stars}\n:label: {label}\n```\n"
        "Do it.\n```{exercise-end}\n```\n\n"
        for title, stars, label in (("A sum", "★", "sum"), ("Again", "★★", "twice"))
    )
)
PLAN = """# A session on chapter 6

## Ninety minutes

Some words.

1. **Ask, 65 min.** Words. {poll}`ex-hidden-factor: Set the factor to 10`

2. **Let guess, 25 min.** {poll}`quiz: How much`

## What students get wrong

Nothing.

## Three questions to ask

None.

## Objectives and exercises

```{objectives}
```
"""
LINKS = "\n{session-plan}`06_small` and {session-plan}`07_other` end.\n"


@pytest.fixture(scope="module")
def folder(small_book):
    """The small book with that chapter and its plan, built."""
    (small_book / "chapters").mkdir()
    (small_book / "chapters/06_small.md").write_text(CHAPTER)
    (small_book / "book/sessions/06_small.md").write_text(PLAN)
    (small_book / "_toc.yml").write_text(CONTENTS)
    said = build(small_book, NOTEBOOK + LINKS)
    assert said.returncode == 0, said.stderr
    return small_book


def page(folder, name):
    return BeautifulSoup((folder / f"_build/html/{name}.html").read_text(), "html.parser")


@pytest.fixture(scope="module")
def plan(folder):
    return page(folder, "book/sessions/06_small")


def said(element):
    return " ".join(element.get_text().split())


def test_each_step_tells_when_it_begins(plan):
    steps = [said(step) for step in plan.select("#ninety-minutes ol strong")]
    assert steps == ["0:00 Ask, 65 min.", "1:05 Let guess, 25 min."]


def test_a_poll_asks_the_question_of_the_figure_or_of_the_quiz(plan):
    first, second = plan.select("#ninety-minutes ol li")
    asked = "Figure 1.1 asks: Set the factor to 10. What becomes of the differences of the three numbers"
    assert asked in said(first)
    assert first.a["href"] == "../../figures/06_small/hidden-factor.html?lecture&ask=1"
    assert "The quiz asks: How much is 1+1, by the way?" in said(second).replace(" ", " ").replace(
        "1 + 1", "1+1"
    )
    assert second.a["href"] == "../../chapters/06_small.html?lecture#quiz"


def test_an_objective_lists_the_exercises_that_train_it(folder, plan):
    objectives = plan.select("#objectives-and-exercises li")
    assert [said(one) for one in objectives] == [
        "add numbers: 1.1 A sum ★; 1.2 Again ★★.",
        "prove it: 1.2 Again ★★.",
    ]
    assert objectives[0].a["href"] == "../../chapters/06_small.html#sum"
    card = page(folder, "chapters/06_small").select(".card li")
    assert [said(one) for one in card] == ["add numbers; Exercises 1.1, 1.2", "prove it. Exercise 1.2"]
    assert [link["href"] for link in card[0].select("a")] == ["#sum", "#twice"]
    notebook = (folder / "_build/html/notebooks/06_small.ipynb").read_text()
    assert "**add** numbers; (Exercises 1.1, 1.2)" in notebook


def test_a_page_links_to_the_plans_that_there_are(folder):
    (line,) = (p for p in page(folder, "page").select("main p") if "end." in p.text)
    assert said(line) == "A plan for ninety minutes and end."
    assert line.a["href"] == "book/sessions/06_small.html"


WRONG = [
    ("book/sessions/06_small.md", "25 min", "20 min", "the steps take 85 minutes; expected 90"),
    ("book/sessions/06_small.md", "Let guess, 25", "Guess, 25", "the step 'Guess, 25 min."),
    ("book/sessions/06_small.md", "Set the factor", "Set a factor", "begin with 'Set a factor to 10'"),
    ("book/sessions/06_small.md", "ex-hidden", "ex-other", "'ex-other-factor' has 0 questions"),
    ("book/sessions/06_small.md", "## Three questions", "## Two questions", "expected ['Ninety minutes',"),
    ("chapters/06_small.md", "`sum, twice`", "`sum, thrice`", "the card names 'thrice'"),
]


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    WRONG,
)
def test_what_is_wrong_ends_the_build(folder, file, before, after, message):
    text = (folder / file).read_text()
    assert text.count(before) == 1
    (folder / file).write_text(text.replace(before, after))
    result = build(folder, NOTEBOOK)
    (folder / file).write_text(text)
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())
