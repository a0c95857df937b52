"""Marking a class and marking again: what is done stays done, what must change changes, and nothing else."""

import json
import re

import pytest

from margins_course import CourseProblem
from margins_course.grading import environment, marking
from margins_course.grading.results import read_result
from margins_course.grading.totals import totals
from margins_course.sandbox import process
from margins_course.sandbox.answers import Limits
from tests.margins_course.marking_class import HALF, POINTS, class_of_three, course_of
from tests.margins_course.sums_assignment import CHAPTER, RIGHT, SEEN

pytestmark = pytest.mark.usefixtures("boxes")
SHARPER = 'assert np.array_equal(twice(np.array([1.0, -1.0])), [2, -2]), "1 and -1"'


def test_a_class_is_marked_with_a_certificate(tmp_path):
    course = class_of_three(tmp_path)
    assert course.mark() == (3, 3, [], [])
    assert course.points() == POINTS
    assert course.report("sums-certificate.txt").is_file()
    assert not course.result("sums", "dan").exists()


@pytest.mark.parametrize("starts", [0, 1])
def test_where_no_box_starts_nothing_is_marked_and_nobody_loses_points(tmp_path, monkeypatch, starts):
    """Once that cost everybody all points, and the zeros stayed after the repair."""
    course = course_of(tmp_path, ["ada"])
    course.hand_in({"ada": {"twice": "def twice(x):\n    import os\n    os._exit(0)"}})
    commands = [process.bubblewrap_command] * starts
    monkeypatch.setattr(
        process, "bubblewrap_command", lambda *pipes: commands.pop()(*pipes) if commands else ["false"]
    )
    with pytest.raises(CourseProblem, match="cannot start a sandbox"):
        marking.mark_or_refuse(course, "sums", "ada", Limits())
    assert not course.result("sums", "ada").exists()


def test_a_result_of_another_environment_is_marked_again(graded, monkeypatch):
    """Zeros of a machine on which boxes failed must not survive the repair."""
    assert marking.is_current(graded, "sums", "ada")
    programs = environment.environment() | {"numpy": "another"}
    assert re.fullmatch(r"[0-9a-f]{16}", programs["source of margins_course"])
    monkeypatch.setattr(environment, "environment", lambda: programs)
    assert not marking.is_current(graded, "sums", "ada")


def test_a_student_is_marked_again_with_old_and_new_points(graded):
    path = graded.result("sums", "ada")
    spoilt = json.loads(path.read_text(encoding="utf-8"))
    spoilt["points"] = dict.fromkeys(spoilt["points"], 0.0)
    path.write_text(json.dumps(spoilt), encoding="utf-8")
    others = {who: graded.result("sums", who).read_bytes() for who in ("bob", "cyd")}
    again = graded.mark(again=["ada"])
    assert again == (1, 3, [], [("ada", 0.0, 10.0)])
    assert {who: graded.result("sums", who).read_bytes() for who in others} == others
    assert [path.name for path in path.parent.iterdir() if path.suffix != ".json"] == []


def test_everybody_is_marked_again_by_the_checks_as_they_are(graded):
    graded.release_again(CHAPTER.replace(SEEN, SHARPER))
    assert graded.mark() == (3, 3, [], [])
    bob = read_result(graded.result("sums", "bob"))
    assert bob.messages["twice--check-1"] == "AssertionError: 1 and -1"
    assert graded.mark()[:2] == (0, 3)  # all of them are current


def test_who_is_unknown_cannot_be_marked_again(graded):
    for who in ("eve", "../ada", "dan"):
        with pytest.raises(CourseProblem, match=f"nothing of {who} was collected for sums"):
            graded.mark(again=["ada", who])


def test_a_damaged_file_and_an_error_of_ours_cost_one_student_the_mark_and_are_named(graded, monkeypatch):
    graded.hand_in({"bob": RIGHT})
    graded.notebook("submitted", "sums", "ada").write_bytes(b"")
    new, everybody, (note,), _ = graded.mark()
    assert (new, everybody) == (1, 3)
    assert note.startswith("ada: the file in submitted/ is not the one that counts: collect again")
    assert [total.score for total in totals(graded, "sums")] == [10.0, 10.0, 0.0, None]
    graded.hand_in({"ada": {}, "bob": HALF})
    grades = iter([lambda *_, **__: 1 / 0, marking.grade])
    monkeypatch.setattr(marking, "grade", lambda *given, **options: next(grades)(*given, **options))
    new, everybody, (note,), _ = graded.mark()
    assert (new, everybody) == (1, 3)
    assert "ada" in note
    assert "ZeroDivisionError('division by zero')" in note
    assert [total.score for total in totals(graded, "sums")] == [None, 7.0, 0.0, None]
