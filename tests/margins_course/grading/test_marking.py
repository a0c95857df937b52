"""Marking a class and marking again: what is done stays done, what must change changes, and nothing else."""

import contextlib
import json
import re
import shutil

import pytest

from margins_course import CourseProblem
from margins_course.folder import CourseFolder
from margins_course.grading import environment, marking
from margins_course.grading.results import read_result
from tests.margins_course.fast_marking import InOrder
from tests.margins_course.marking_class import course_of, hand_in, points, release_again, silent
from tests.margins_course.sums_assignment import CHAPTER, FULL, RIGHT, by_exercise

pytestmark = pytest.mark.usefixtures("boxes")
HALF = RIGHT | {"twice": "def twice(x):\n    return 2 * abs(x)"}  # the visible check alone
ANSWERS = {"ada": RIGHT, "bob": HALF, "cyd": {}}
VISIBLE = 'assert np.array_equal(twice(np.arange(3.0)), [0, 2, 4]), "twice 0, 1, 2"'
SHARPER = 'assert np.array_equal(twice(np.array([1.0, -1.0])), [2, -2]), "1 and -1"'


@pytest.fixture(scope="module")
def marked_once(tmp_path_factory):
    """A class of three that is marked; dan handed in nothing."""
    root = tmp_path_factory.mktemp("marked")
    course, student = course_of(root, [*ANSWERS, "dan"])
    hand_in(course, student, ANSWERS)
    return course, student, marking.mark_class(course, "sums", progress=silent)


@pytest.fixture
def graded(marked_once, tmp_path, monkeypatch):
    """A copy of that class, for changes: what is marked now is marked in this process, without canaries."""
    monkeypatch.setattr(marking, "worker_pool", lambda: contextlib.nullcontext(InOrder()))
    monkeypatch.setattr(marking, "certify_class", lambda *_, **__: None)
    course = marked_once[0]
    shutil.copytree(course.root.parent, tmp_path / "copy")
    made = CourseFolder(tmp_path / "copy" / "course")
    settings = made.settings("sums").read_text(encoding="utf-8")
    moved = settings.replace(str(course.root.parent), str(tmp_path / "copy"))
    made.settings("sums").write_text(moved, encoding="utf-8")
    return made, marked_once[1]


def test_a_class_is_marked_with_a_certificate(marked_once):
    course, _, made = marked_once
    assert made == (3, 3, [], [])
    assert {who: by_exercise(points(course, who)) for who in ANSWERS} == {
        "ada": FULL,
        "bob": FULL | {"twice": 2.0},
        "cyd": dict.fromkeys(FULL, 0.0),
    }
    assert course.report("sums-certificate.txt").is_file()
    assert not course.result("sums", "dan").exists()


def test_what_is_done_stays_done(graded):
    course, _ = graded
    before = {who: course.result("sums", who).stat().st_mtime_ns for who in ANSWERS}
    assert marking.mark_class(course, "sums", progress=silent)[:2] == (0, 3)
    assert {who: course.result("sums", who).stat().st_mtime_ns for who in ANSWERS} == before


def test_a_result_of_another_environment_is_marked_again(graded, monkeypatch):
    """Zeros of a machine on which boxes failed must not survive the repair."""
    course, _ = graded
    assert marking.is_current(course, "sums", "ada")
    programs = environment.environment() | {"numpy": "another"}
    assert re.fullmatch(r"[0-9a-f]{16}", programs["source of margins_course"])
    monkeypatch.setattr(environment, "environment", lambda: programs)
    assert not marking.is_current(course, "sums", "ada")


def test_a_student_is_marked_again_with_old_and_new_points(graded):
    course, _ = graded
    path = course.result("sums", "ada")
    spoilt = json.loads(path.read_text(encoding="utf-8"))
    spoilt["points"] = dict.fromkeys(spoilt["points"], 0.0)
    path.write_text(json.dumps(spoilt), encoding="utf-8")
    others = {who: course.result("sums", who).read_bytes() for who in ("bob", "cyd")}
    again = marking.mark_class(course, "sums", again=["ada"], progress=silent)
    assert again == (1, 3, [], [("ada", 0.0, 10.0)])
    assert {who: course.result("sums", who).read_bytes() for who in others} == others
    assert [path.name for path in path.parent.iterdir() if path.suffix != ".json"] == []


def test_everybody_is_marked_again_by_the_checks_as_they_are(graded):
    course, _ = graded
    release_again(course, CHAPTER.replace(VISIBLE, SHARPER))
    assert marking.mark_class(course, "sums", progress=silent) == (3, 3, [], [])
    bob = read_result(course.result("sums", "bob"))
    assert bob.messages["twice--check-1"] == "AssertionError: 1 and -1"
    assert marking.mark_class(course, "sums", progress=silent)[:2] == (0, 3)  # all of them are current


@pytest.mark.parametrize("who", ["eve", "../ada", "dan"])
def test_who_is_unknown_cannot_be_marked_again(graded, who):
    with pytest.raises(CourseProblem, match=f"nothing of {who} was collected for sums"):
        marking.mark_class(graded[0], "sums", again=["ada", who], progress=silent)
