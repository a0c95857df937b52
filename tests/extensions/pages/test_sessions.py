"""The plan of a session on a small chapter: minutes, polls, exercises, and what ends the build."""

import pytest

from tests.small_book import CELL, IMPORT, NOTEBOOK, QUIZ, SmallSite, said

pytestmark = pytest.mark.full  # in `make test` the built site is looked at
PLAN = "book/sessions/06_small"
CHAPTER = (
    NOTEBOOK
    + IMPORT
    + CELL.format("figures.hidden_factor")
    + """::::{admonition} In this chapter
:class: card

You will be able to

- **add** numbers; {exercises}`sum, twice`
- **prove** it. {exercises}`twice`

*Before you start:* nothing.
*Running:* a second.
::::

## Quiz

"""
    + QUIZ
    + "\n## Exercises\n\n"
    + "".join(
        f"```{{exercise-start}} {title} · prove {stars}\n:label: {label}\n```\n"
        "Do it.\n```{exercise-end}\n```\n\n"
        for title, stars, label in (("A sum", "★", "sum"), ("Again", "★★", "twice"))
    )
)
SESSION = """# A session on chapter 6

## Ninety minutes

Some words.

1. **Ask, 65 min.** Words. {poll}`ex-hidden-factor?factor=2: Set the factor to 10`

2. **Let guess, 25 min.** {poll}`quiz: What is two`

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
def site(small_book):
    return SmallSite(small_book, {"chapters/06_small": CHAPTER, PLAN: SESSION}).build(NOTEBOOK + LINKS)


@pytest.fixture(scope="module")
def plan(site):
    return site.parsed(PLAN)


def test_each_step_tells_when_it_begins(plan):
    steps = [said(step) for step in plan.select("#ninety-minutes ol strong")]
    assert steps == ["0:00 Ask, 65 min.", "1:05 Let guess, 25 min."]


def test_a_poll_asks_the_question_of_the_figure_or_of_the_quiz(plan):
    first, second = plan.select("#ninety-minutes ol li")
    asked = "Figure 1.1 asks: Set the factor to 10. What becomes of the differences of the three numbers"
    assert asked in said(first)
    assert (
        first.a["href"] == "../../figures/06_small/hidden-factor.html?lecture&ask=1#ex-hidden-factor?factor=2"
    )
    assert "The quiz asks: What is two and two?" in said(second)
    assert second.a["href"] == "../../chapters/06_small.html?lecture#quiz-1"


def test_an_objective_lists_the_exercises_that_train_it(site, plan, chapter):
    objectives = plan.select("#objectives-and-exercises li")
    assert [said(one) for one in objectives] == [
        "add numbers: 1.1 A sum ★; 1.2 Again ★★.",
        "prove it: 1.2 Again ★★.",
    ]
    assert objectives[0].a["href"] == "../../chapters/06_small.html#sum"
    card = chapter.select(".card li")
    assert [said(one) for one in card] == ["add numbers; Exercises 1.1, 1.2", "prove it. Exercise 1.2"]
    assert [link["href"] for link in card[0].select("a")] == ["#sum", "#twice"]
    assert "**add** numbers; (Exercises 1.1, 1.2)" in site.read("notebooks/06_small.ipynb")


def test_a_page_links_to_the_plans_that_there_are(site):
    (line,) = (p for p in site.parsed("page").select("main p") if "end." in p.text)
    assert said(line) == "A plan for ninety minutes and end."
    assert line.a["href"] == "book/sessions/06_small.html"


WRONG = [
    (PLAN, "25 min", "20 min", "the steps take 85 minutes; expected 90"),
    (PLAN, "Let guess, 25", "Guess, 25", "the step 'Guess, 25 min."),
    (PLAN, "Set the factor", "Set a factor", "begin with 'Set a factor to 10'"),
    (PLAN, "?factor", "?size", "poll: 'ex-hidden-factor' has no 'size'; it has factor"),
    (PLAN, "ex-hidden", "ex-other", "'ex-other-factor' has 0 questions"),
    (PLAN, "## Three questions", "## Two questions", "expected ['Ninety minutes',"),
    ("chapters/06_small", "`sum, twice`", "`sum, thrice`", "the card names 'thrice'"),
]


@pytest.mark.parametrize(("page", "before", "after", "message"), WRONG)
def test_what_is_wrong_ends_the_build(site, page, before, after, message):
    assert message in site.refusal(page, before, after)
