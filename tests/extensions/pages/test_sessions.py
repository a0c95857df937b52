"""The plan of a session: the minutes of its steps, and what ends the build."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from myst_parser.parsers.docutils_ import Parser
from sphinx.errors import ExtensionError

from explorable.sphinx_ext.figures import FigureNode
from extensions.coursework.quiz import Legend
from extensions.pages.sessions import asked, check_plan

PAGE = "book/sessions/06_small"
PLAN = """# A session on chapter 6

## Ninety minutes

1. **Ask, 65 min.** Words.

2. **Let guess, 25 min.** More.

## What students get wrong

Nothing.

## Three questions to ask

None.

## Objectives and exercises

Those of the card.
"""
ASKED = [nodes.list_item("", nodes.paragraph("", words)) for words in ("Go up.", "Go on.")]
SPEC = '{"parameters": [{"name": "n"}]}'
FIGURE = FigureNode("", nodes.bullet_list("", *ASKED), ids=["ex-sums"], spec=SPEC)
CHAPTER = nodes.section("", FIGURE, Legend("", "What is two and two?"))


def environment(**more):
    return SimpleNamespace(docname=PAGE, doc2path=lambda name: f"{name}.md", **more)


def checked(text):
    """The leads of the steps of a plan."""
    settings = {"doctitle_xform": False, "report_level": 5}
    plan = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    check_plan(SimpleNamespace(env=environment()), plan)
    return [lead.astext() for lead in plan.findall(nodes.strong)]


def test_each_step_tells_when_it_begins():
    assert checked(PLAN) == ["0:00 Ask, 65 min.", "1:05 Let guess, 25 min."]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("25 min", "20 min", "the steps take 85 minutes; expected 90"),
        ("Let guess, 25", "Guess, 25", "the step 'Guess, 25 min."),
        ("## Three questions", "## Two questions", r"expected \['Ninety minutes',"),
    ],
)
def test_a_plan_of_another_form_ends_the_build(before, after, message):
    with pytest.raises(ExtensionError, match=f"{PAGE}.md: .*{message}"):
        checked(PLAN.replace(before, after))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ex-sums: Go", "'ex-sums' has 2 questions that begin with 'Go'; it has 'Go up.', 'Go on.'"),
        ("quiz: What is three", "'quiz' has 0 questions that begin with 'What is three'; it has 'What"),
        ("ex-other: Go up", "'ex-other' has 0 questions that begin with 'Go up'; it has none"),
        ("ex-sums", "has 0 questions|has 2 questions"),
        ("ex-sums?m=1: Go up", "'ex-sums' has no 'm'; it has n"),
    ],
)
def test_a_poll_that_asks_nothing_ends_the_build(text, message):
    page = SimpleNamespace(env=environment(get_doctree=lambda name: CHAPTER))
    with pytest.raises(ExtensionError, match=f"{PAGE}.md: poll: .*({message})"):
        asked(page, {"text": text})
