"""Fixtures that several tests of this folder share."""

import pytest

from margins_course.folder import write
from margins_course.grading.results import HandMark, append_hand_mark
from margins_course.grading.totals import totals
from tests.margins_course.courses import (
    ALL,
    NAME,
    SHEET,
    TEXTS,
    answered,
    came,
    made_course,
    marked,
    settings_of,
)
from tests.margins_course.grading.test_export import FILES, ROSTER


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Ada fully marked, Bob earned 0, Cyd waits for a person, Dan's file is broken, nothing came of Eve."""
    settings_of(monkeypatch)
    course = made_course(tmp_path, ROSTER)
    came(course, *((name, "broken" if who == "dan" else answered(who)) for who, name in FILES.items()))
    prints = marked(course, "ada", ALL, TEXTS)
    for label, lines in (("proof", (1.0, 2.25)), ("both", (4.0,))):
        mark = HandMark("ada", label, prints[label], lines, 0.0, f"On {label}")
        append_hand_mark(course, NAME, mark, SHEET)
    marked(course, "bob", {})
    marked(course, "cyd", ALL, TEXTS)
    for total in totals(course, NAME):
        if (who := total.student.id) in ("ada", "bob", "cyd"):
            write(course.feedback(NAME, who), f"<p>{who}</p>{total.digest}")
    return course
