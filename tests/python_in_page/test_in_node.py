"""The page's Python in node, from the built site: every exercise, the cells of every chapter, the figures.

The numbers are ratchets: they may rise, and fall only with a reason. What cells of a chapter do is run if
nothing is recorded of the chapter as it is (`make cells`).
"""

import pytest

from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter
from tests.python_in_page.node import answers, chapter_data
from tests.python_in_page.ran import ran

pytestmark = pytest.mark.slow
# by chapter: the cells that run, the figures that draw, the cells that print what the built page shows
RATCHETS = {
    "svm_duality": (33, 9, 33),
    "kernels": (44, 7, 44),
    "softmax_kernel": (47, 10, 47),
    "nadaraya_watson": (61, 9, 61),
    "random_features": (55, 7, 55),
    "attention_svm": (54, 7, 53),
    "local_optima": (56, 9, 55),
    "generalised_svm": (39, 6, 39),
    "sequences_and_data": (31, 6, 31),
    "beyond_the_equivalence": (45, 11, 45),
    "errata_and_open_questions": (27, 5, 27),
}


def exercise_requests(chapter):
    """By label, two requests: a check of the reference solution, and one of the stub."""
    known = chapter_data(chapter.page.stem)["exercises"]
    for cell in read_chapter(chapter.page).cells:
        if cell.kind == "solution":
            exercise = dict(known[cell.exercise])
            start = exercise.pop("start")
            yield cell.exercise, [["check", exercise | {"code": code}] for code in (cell.source, start)]


def test_every_solution_passes_its_check_and_no_stub_does():
    asked = dict(pair for chapter in chapters() for pair in exercise_requests(chapter))
    told = answers(request for pair in asked.values() for request in pair)
    assert len(asked) == 50
    for label, right, stub in zip(asked, told[::2], told[1::2], strict=True):
        assert right["verdict"] == "right", (label, right)
        assert right["text"].startswith("Right"), label
        assert stub["verdict"] == "wrong", (label, stub)
        assert stub["text"].startswith("Nothing is written here yet"), label
        assert not stub["printed"], label


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.topic)
def test_cells_and_figures_run_as_in_the_built_page(chapter):
    found, least = ran(chapter), RATCHETS[chapter.topic]
    assert all(came >= wanted for came, wanted in zip(found.counts, least, strict=True)), found
