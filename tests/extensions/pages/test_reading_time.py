"""How long a chapter takes: words, formulas and figures count, code and exercises do not."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from explorable.sphinx_ext.figures import CaptionNode, CopyNode, FigureNode
from extensions.pages.dropdowns import fold
from extensions.pages.reading_time import exercise_minutes, minutes, said, short


def page(*children):
    document = new_document("page")
    document += children
    return document


def words(number):
    return nodes.paragraph("", "word " * number)


class exercise_node(nodes.Element):  # noqa: N801 - as Sphinx-exercise calls it
    """An exercise."""


def test_prose_formulas_and_figures_that_move_take_time_and_code_and_exercises_none():
    assert minutes(page(words(1500))) == 10
    assert minutes(page(nodes.paragraph("", "", *(nodes.math("", "x") for _ in range(30))))) == 2
    assert minutes(page(*(nodes.math_block("", "x") for _ in range(9)))) == 3
    assert minutes(page(FigureNode(moves=True))) == 2
    assert minutes(page(FigureNode(moves=False))) == 0
    code = nodes.literal_block("", "word " * 1500)
    assert minutes(page(words(300), code, exercise_node("", words(1500), nodes.math_block("", "x")))) == 2
    solution = fold("", nodes.title("", "Solution"), words(1500), classes=["fold", "solution"])
    assert minutes(page(words(300), solution)) == 2


def test_a_copy_of_a_figure_takes_ten_seconds_with_its_caption_and_its_question_the_time_of_its_words():
    captions = [CaptionNode("", "", nodes.Text("word " * 150), nodes.math("", "x")) for _ in range(18)]
    assert minutes(page(*(CopyNode("", caption, moves=True) for caption in captions))) == 3
    asks = nodes.bullet_list("", nodes.list_item("", words(300)))
    assert minutes(page(CopyNode("", CaptionNode("", "", nodes.Text("word " * 300)), asks, moves=True))) == 2


def test_exercises_take_the_time_of_their_stars():
    """Those of the spine, then those that go with an excursion; research has no time."""
    texts = [SimpleNamespace(label=f"task-{stars}", stars=stars) for stars in (1, 2, 3, 4)]
    goes_with = {"task-1": (), "task-2": ("6.A",), "task-3": (), "task-4": ()}.__getitem__
    assert exercise_minutes(SimpleNamespace(texts=texts, goes_with=goes_with)) == (210, 90)


@pytest.mark.parametrize(
    ("time", "words"),
    [(1, "5 minutes"), (33, "35 minutes"), (58, "1 h"), (61, "1 h"), (118, "2 h"), (97, "1 h 35 min")],
)
def test_times_are_said_to_five_minutes(time, words):
    assert said(time) == words
    assert short(time) == words.replace("minutes", "min")
