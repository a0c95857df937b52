"""A question of a quiz is set, or refused with the reason, from its Markdown."""

import pytest
from docutils.core import publish_doctree
from myst_parser.parsers.docutils_ import Parser
from sphinx.errors import ExtensionError

from extensions.coursework.quiz import Alternative, question

GOOD = """\
::::{admonition} What is *two* and two?
:class: quiz

Count on your fingers.

1. Three.
2. Four, $2+2$.

:::{admonition} Answers
:class: dropdown

1. No: that is one and two.
2. Right: both hands show it.
:::
::::
"""


def set_question(text):
    settings = {"myst_enable_extensions": ["colon_fence", "dollarmath"], "report_level": 5}
    tree = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    return question(tree.children[0], "question-1", "page.md:1")


def test_a_question_keeps_its_words_its_alternatives_and_their_explanations():
    made = set_question(GOOD)
    legend, before, *alternatives, answers = made.children
    assert legend.astext() == "What is two and two?"
    assert before.astext() == "Count on your fingers."
    assert [type(node) for node in alternatives] == [Alternative, Alternative]
    assert [node.astext() for node in alternatives] == ["Three.", "Four, 2+2."]
    assert {node["name"] for node in alternatives} == {"question-1"}
    assert "both hands show it" in answers.astext()


REFUSALS = {
    "no answers": (GOOD[: GOOD.index(":::{admonition} Answers")] + "::::\n", "ends in a numbered list"),
    "open answers": (GOOD.replace(":class: dropdown\n", ""), "ends in a numbered list"),
    "bullets": (GOOD.replace("1. Three", "- Three").replace("2. Four", "- Four"), "ends in a numbered list"),
    "one more answer": (
        GOOD.replace("2. Right", "2. No: not that one either.\n3. Right"),
        "2 alternatives and 3",
    ),
    "one alternative": (
        GOOD.replace("1. Three.\n2. Four", "1. Four").replace("1. No: that is one and two.\n2.", "1."),
        "1 alternatives and 1",
    ),
    "none right": (GOOD.replace("Right", "Yes"), "0 answers begin with 'Right'"),
    "two right": (GOOD.replace("No:", "Right:"), "2 answers begin with 'Right'"),
    "nothing explained": (GOOD.replace("No: that is one and two.", "No."), "explains nothing"),
    "two paragraphs": (GOOD.replace("1. Three.", "1. Three.\n\n   Or so."), "is one paragraph"),
    "prose among answers": (
        GOOD.replace("2. Right", "\nAnd:\n\n2. Right"),
        "one numbered list and nothing else",
    ),
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_question_that_cannot_be_answered_is_refused_with_its_place(kind):
    text, said = REFUSALS[kind]
    assert text != GOOD
    with pytest.raises(ExtensionError, match=said) as refusal:
        set_question(text)
    assert str(refusal.value).startswith("page.md:1: ")
