"""Figures that a reader's answer draws: the reference draws the page's own, and wrong answers draw others."""

import pytest

from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter
from tests.margins_course.exercises import variants
from tests.python_in_page.node import answers, chapter_data

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def told():
    """By label, what Python says of the page's own figure, the reference, the stub, known wrong answers."""
    asked = {label: list(requests_of(chapter, label)) for chapter, label in driving()}
    got = iter(answers(request for requests in asked.values() for request in requests))
    return {label: [next(got) for _ in requests] for label, requests in asked.items()}


def driving():
    """The exercises that draw a figure, with their chapters."""
    return [(one, label) for one in chapters() for label in chapter_data(one.page.stem)["driven"]]


def requests_of(chapter, label):
    """The page's own figure, then the figure drawn by the reference, the stub and known wrong answers."""
    data = chapter_data(chapter.page.stem)
    exercise, cells, known = data["exercises"][label], data["cells"], data["driven"][label]
    needs = [cells[str(place)]["source"] for place in known["needs"]]
    name = f"def {known['figure'].replace('-', '_')}("
    own = next(cell["source"] for cell in cells.values() if name in cell["source"])
    yield ["run", {"setup": needs, "code": own}]
    asked = {
        "setup": exercise["setup"],
        "functions": exercise["functions"],
        "needs": needs,
        "figure": known["code"],
    }
    (reference,) = (
        cell.source
        for cell in read_chapter(chapter.page).cells
        if (cell.kind, cell.exercise) == ("solution", label)
    )
    for code in (reference, exercise["start"], *variants(label).values()):
        yield ["draw", asked | {"code": code}]


def marks(answer):
    """The drawing and the sentence of the only figure of an answer, without its name and its controls."""
    (figure,) = answer["figures"]
    frame, _, rest = figure["markup"].partition("<fieldset")
    sentence = rest.partition("<output")[2].partition("</output>")[0]
    return frame.replace(figure["name"], "name").partition("<svg")[2], sentence


def test_the_reference_draws_what_the_page_has_and_the_stub_nothing(told):
    assert len(told) >= 3
    for label, (own, reference, *_) in told.items():
        assert reference["verdict"] == "ran", (label, reference)
        assert marks(reference)[1] == marks(own)[1], label
    for label, (_, _, stub, *_) in told.items():
        assert (stub["verdict"], stub["figures"]) == ("wrong", []), label
        assert stub["text"].startswith("Nothing is written here yet"), label


def test_wrong_answers_draw_another_figure_or_are_told_why_not(told):
    for label, (_, reference, _, *wrong) in told.items():
        drawn = [answer for answer in wrong if answer["verdict"] == "ran"]
        assert sum(marks(answer) != marks(reference) for answer in drawn) >= 2, label
        assert all(answer["text"] for answer in wrong if answer["verdict"] != "ran"), label


def test_python_says_that_a_figure_is_absent_which_it_has_not_made():
    (got,) = answers([["frame", {"name": "of another life", "values": {}}]])
    assert got["absent"]
