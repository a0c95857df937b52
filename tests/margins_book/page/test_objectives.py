"""What a card promises is read with the exercises that train it, or refused."""

import pytest

from margins_book.page import ChapterProblem
from margins_book.page.objectives import Objective, read_objectives

CARD = """Words.

::::{admonition} In this chapter
:class: card

You will be able to

- **add** numbers $a;b$ and more; {exercises}`one, two`
- **tell** why. {exercises}`two`

*Before you start:* nothing.

:::{admonition} Five questions
:class: dropdown
- none
:::
::::

- no objective
"""


def test_an_objective_is_its_words_and_its_exercises():
    assert read_objectives(CARD, {"one", "two"}, "page.md") == (
        Objective("**add** numbers $a;b$ and more", ("one", "two")),
        Objective("**tell** why", ("two",)),
    )
    assert read_objectives("Words.", {"one"}, "page.md") == ()


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (" {exercises}`two`", "", r"page.md: the card says '- \*\*tell\*\* why.'; expected"),
        ("why. {exercises}`two`", "why. {exercises}``", "expected '- "),
        ("`one, two`", "`one, too`", "names 'too', but no exercise has this label"),
    ],
)
def test_an_objective_that_nothing_trains_is_refused(before, after, message):
    with pytest.raises(ChapterProblem, match=message):
        read_objectives(CARD.replace(before, after), {"one", "two"}, "page.md")
