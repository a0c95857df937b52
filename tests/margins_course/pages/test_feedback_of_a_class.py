"""Feedback for a class: a page for everybody whose work came, from the files of the course folder."""

import pytest

from margins_course.grading.results import HandMark, append_hand_mark
from margins_course.pages.feedback import write_feedback
from tests.margins_course.courses import (
    DUE,
    NAME,
    SHEET,
    answered,
    came,
    made_course,
    marked,
    settings_of,
)

ROSTER = ("ada,Ada Lovelace,,", "bob,Bob Lee,,", "cyd,Cyd Oz,,", "dan,Dan Yu,,")


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Ada's work is marked, Bob's file is broken, nothing came of Cyd, Dan's work came late and waits."""
    settings_of(monkeypatch, extensions={"ada": DUE})
    course = made_course(tmp_path, ROSTER)
    late = "dan.ipynb", answered("d"), (2026, 3, 1, 12, 36, 2)
    came(course, ("ada.ipynb", answered("a")), ("bob.ipynb", "broken"), late)
    marked(course, "ada", {"twice--check-1": 2.0, "twice--hidden-check-1": 3.0})
    return course


def pages(course):
    """The words of each page by student."""
    seen = []
    paths = write_feedback(course, NAME, lambda done, all_: seen.append((done, all_)))
    assert seen == [(n, len(paths)) for n in range(1, len(paths) + 1)]
    return {path.parent.parent.name: path.read_text(encoding="utf-8") for path in paths}


def test_everybody_whose_work_came_has_a_page(course):
    made = pages(course)
    assert list(made) == ["ada", "bob", "dan"]
    assert "5 of 5 points" in made["ada"]
    assert "Your teacher has not marked" not in made["ada"]  # the proof is as it was given: nothing waits
    assert "You had an extension until Sunday, 1 March 2026, 12:00" in made["ada"]
    assert "could not be marked" in made["bob"]
    assert "not marked yet" in made["dan"]


def test_points_by_hand_and_their_comment_stand_on_the_page(course):
    prints = marked(course, "ada", {}, {"proof": "Clear: $x$."})
    assert "Your teacher has not marked this answer yet." in pages(course)["ada"]
    mark = HandMark("ada", "proof", prints["proof"], (2.0, 1.5), comment="Say why.")
    append_hand_mark(course, NAME, mark, SHEET)
    said = pages(course)["ada"]
    assert "1.5 of 3 points" in said
    assert "Say why." in said
    marked(course, "ada", {}, {"proof": "Other."})
    assert "The answer changed after it was marked" in pages(course)["ada"]
    assert "Say why." not in pages(course)["ada"]
