"""The page's Python in node, from the built site: every exercise, the cells of every chapter, the figures.

The numbers are ratchets: they may rise, and fall only with a reason.
"""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from margins_book.chapters import ROOT, chapters
from margins_course.assignments.chapter import read_chapter
from tests.python_in_page.node import answers, chapter_data

pytestmark = pytest.mark.slow
WHOLE = Path(__file__).with_name("whole_chapter.py").read_text("utf8")
# by chapter: the cells that run, the figures that draw, the cells that print what the built page shows
RATCHETS = {
    "svm_duality": (32, 9, 32),
    "kernels": (44, 7, 44),
    "softmax_kernel": (47, 10, 47),
    "nadaraya_watson": (61, 9, 61),
    "random_features": (55, 7, 55),
    "attention_svm": (54, 7, 53),
    "local_optima": (46, 7, 45),
    "generalised_svm": (31, 6, 31),
    "sequences_and_data": (25, 5, 24),
    "beyond_the_equivalence": (27, 6, 27),
    "errata_and_open_questions": (20, 5, 20),
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


def built_outputs(chapter):
    """By cell, what it printed when the site was built."""
    page = BeautifulSoup((ROOT / f"_build/html/chapters/{chapter.page.stem}.html").read_text(), "html.parser")
    for place in page.select("div.cell .of-cell"):
        parts = place.find_parent(class_="cell").select(".cell_output > .output:not(.text_html) pre")
        if parts:
            yield place["data-cell"], "".join(part.text for part in parts)


def plain(text):
    """A text without what differs from machine to machine: times, and spaces at the ends of lines."""
    return re.sub(r"[ \t]+$", "", re.sub(r"\d[\d.]* (s|ms)\b", "TIME", text), flags=re.M).strip()


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.topic)
def test_cells_and_figures_run_as_in_the_built_page(chapter):
    cells = chapter_data(chapter.page.stem)["cells"]
    places = sorted(cells, key=int)
    sources = [cells[place]["source"] for place in places]
    (told,) = answers([["execute", {"code": WHOLE, "sources": sources}]])
    came = dict(zip(places, told["cells"], strict=True))
    ran = {place: plain(one["printed"]) for place, one in came.items() if not one["error"]}
    built = {place: plain(printed) for place, printed in built_outputs(chapter)}
    equal = [place for place in ran if ran[place] == built.get(place, "")]
    counts = len(ran), sum(one["figures"] for one in came.values()), len(equal)
    errors = {place: one["error"][:100] for place, one in came.items() if one["error"]}
    least = RATCHETS[chapter.topic]
    assert all(came >= wanted for came, wanted in zip(counts, least, strict=True)), (counts, errors)
