"""Figures that answers draw, as chapters declare them: what does not fit the chapter is refused."""

import pytest
from sphinx.errors import ExtensionError

from extensions.python_in_page.driven import driven
from margins_book.page.chapter import Cell, Chapter

FIGURE = "def street(width):\n    return draw(width, half(width), half(2))"
CHAPTER = Chapter("chapter", "Chapter", (Cell("solution", "def mine(x): return x", "label"),))
CELLS = {3: {"source": FIGURE, "needs": [1, 2], "missing": ""}}


def declared(tmp_path, text):
    """What a page knows of the figures that the exercise `label` draws, by this declaration."""
    (tmp_path / "label").mkdir()
    (tmp_path / "label" / "figure.yml").write_text(text)
    return driven(CHAPTER, CELLS, tmp_path)


def test_the_answer_is_called_in_the_place_of_what_was_there(tmp_path):
    made = declared(tmp_path, "figure: street\ncalls:\n  half(width): mine(width)\nlook: Look at it.")
    assert made["label"] == {
        "figure": "street",
        "name": "street-by-you",
        "needs": [1, 2],
        "code": "def street_by_you(width):\n    return draw(width, mine(width), half(2))",
        "look": "Look at it.",
    }


def test_a_figure_of_the_page_s_values_is_renamed_whole_and_none_without_declaration(tmp_path, monkeypatch):
    assert driven(CHAPTER, CELLS, tmp_path) == {}
    inner = "    def street(width):\n        return half(width)"
    factory = f"def street(keys):\n\n{inner}\n    return street\nstreet(keys)"
    monkeypatch.setitem(CELLS, 3, {"source": factory, "needs": [], "missing": ""})
    made = declared(tmp_path, "figure: street\ncalls:\n  half(width): mine(width)\nlook: Look at it.")
    assert made["label"]["code"] == factory.replace("street", "street_by_you").replace("half", "mine")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("figure: street", "expected the fields calls, figure, look"),
        (
            "figure: lane\ncalls: {half(width): mine(width)}\nlook: x",
            "no cell of the chapter defines the figure lane",
        ),
        (
            "figure: street\ncalls: {third(width): mine(width)}\nlook: x",
            "cell has no expression third\\(width\\)",
        ),
        (
            "figure: street\ncalls: {half(width): mine(y)}\nlook: x",
            "y is neither in the figure's cell nor an answer",
        ),
        ("figure: street\ncalls: {half(width): draw(width)}\nlook: x", "nothing calls mine"),
        ("figure: street\ncalls: {half(width): mine(}\nlook: x", "figure.yml: "),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, text, said):
    with pytest.raises(ExtensionError, match=said):
        declared(tmp_path, text)
