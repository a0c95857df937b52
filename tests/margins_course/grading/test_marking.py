"""Marking a class and marking again: what is done stays done, what must change changes, and nothing else."""

import json
import shutil

import nbformat
import pytest

from margins_course import CourseProblem
from margins_course.folder import CourseFolder, read_table
from margins_course.grading import environment, marking
from margins_course.grading.marking import Change, regrade
from margins_course.grading.results import read_result
from tests.margins_course.marking_class import course_of, hand_in, points, release_again, silent
from tests.margins_course.sums_assignment import CHAPTER, FULL, RIGHT, by_exercise, require_sandbox

HALF = RIGHT | {"twice": "def twice(x):\n    return 2 * abs(x)"}  # the visible check alone
ANSWERS = {"ada": RIGHT, "bob": HALF, "cyd": {}}
VISIBLE = 'assert np.array_equal(twice(np.arange(3.0)), [0, 2, 4]), "twice 0, 1, 2"'
SHARPER = 'assert np.array_equal(twice(np.array([1.0, -1.0])), [2, -2]), "1 and -1"'


@pytest.fixture(autouse=True, scope="module")
def boxes():
    require_sandbox()


@pytest.fixture(scope="module")
def marked_once(tmp_path_factory):
    """A class of three that is marked; dan handed in nothing."""
    root = tmp_path_factory.mktemp("marked")
    course, student = course_of(root, [*ANSWERS, "dan"])
    hand_in(course, student, ANSWERS)
    return course, student, marking.mark_class(course, "sums", progress=silent)


@pytest.fixture
def graded(marked_once, tmp_path):
    """A copy of that class, for changes."""
    course = marked_once[0]
    shutil.copytree(course.root.parent, tmp_path / "copy")
    made = CourseFolder(tmp_path / "copy" / "course")
    settings = made.settings("sums").read_text(encoding="utf-8")
    moved = settings.replace(str(course.root.parent), str(tmp_path / "copy"))
    made.settings("sums").write_text(moved, encoding="utf-8")
    return made, marked_once[1]


def test_a_class_is_marked_with_a_certificate_and_nbgraders_files(marked_once):
    course, _, made = marked_once
    assert made == (3, 3, [])
    assert {who: by_exercise(points(course, who)) for who in ANSWERS} == {
        "ada": FULL,
        "bob": FULL | {"twice": 2.0},
        "cyd": dict.fromkeys(FULL, 0.0),
    }
    assert course.report("sums-certificate.txt").is_file()
    for who in ANSWERS:
        notebook = nbformat.read(course.notebook("autograded", "sums", who), as_version=4)
        nbformat.validate(notebook)
        timestamp = course.notebook("autograded", "sums", who).parent / "timestamp.txt"
        assert (
            timestamp.read_text() == (course.root / "submitted" / who / "sums" / "timestamp.txt").read_text()
        )
    assert course.gradebook.is_file()
    assert not course.result("sums", "dan").exists()


def test_what_is_done_stays_done(graded):
    course, _ = graded
    before = {who: course.result("sums", who).stat().st_mtime_ns for who in ANSWERS}
    assert marking.mark_class(course, "sums", progress=silent)[:2] == (0, 3)
    assert {who: course.result("sums", who).stat().st_mtime_ns for who in ANSWERS} == before


def test_a_result_of_another_environment_is_marked_again(graded, monkeypatch):
    """Zeros of a machine on which boxes failed must not survive the repair."""
    course, _ = graded
    assert marking.current_result(course, "sums", "ada") is not None
    assert marking.current_result(course, "sums", "ada", unsafe=True) is None
    programs = environment._programs() | {"numpy": "another"}
    monkeypatch.setattr(environment, "_programs", lambda: programs)
    assert marking.current_result(course, "sums", "ada") is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"points": {}}'])
def test_a_result_that_cannot_be_read_is_marked_again(graded, content):
    course, _ = graded
    course.result("sums", "ada").write_text(content, encoding="utf-8")
    assert marking.mark_class(course, "sums", progress=silent)[:2] == (1, 3)
    assert by_exercise(points(course, "ada")) == FULL


def test_a_student_is_marked_again_with_old_and_new_points(graded):
    course, _ = graded
    path = course.result("sums", "ada")
    spoilt = json.loads(path.read_text(encoding="utf-8"))
    spoilt["points"] = dict.fromkeys(spoilt["points"], 0.0)
    path.write_text(json.dumps(spoilt), encoding="utf-8")
    others = {who: course.result("sums", who).read_bytes() for who in ("bob", "cyd")}
    assert regrade(course, "sums", "ada", progress=silent) == [Change("ada", 0.0, 10.0)]
    assert {who: course.result("sums", who).read_bytes() for who in others} == others
    (row,) = read_table(course.report("sums-regraded-ada.csv"))
    assert row == {"student": "ada", "before": "0", "after": "10"}
    assert [path.name for path in path.parent.iterdir() if path.suffix != ".json"] == []


def test_an_exercise_is_marked_again_and_the_others_keep_their_points(graded):
    course, _ = graded
    release_again(course, CHAPTER.replace(VISIBLE, SHARPER))
    for who in ANSWERS:  # what the other exercise's checks once said must stay, whatever they say now
        path = course.result("sums", who)
        kept = json.loads(path.read_text(encoding="utf-8"))
        kept["messages"]["total--check-1"], kept["points"]["total--check-1"] = "as it was", 0.5
        path.write_text(json.dumps(kept), encoding="utf-8")
    changes = regrade(course, "sums", "twice", progress=silent)
    assert changes == [Change("ada", 9.5, 9.5), Change("bob", 6.5, 4.5), Change("cyd", 0.5, 0.5)]
    bob = read_result(course.result("sums", "bob"))
    assert bob.messages["twice--check-1"] == "AssertionError: 1 and -1"
    assert bob.messages["total--check-1"] == "as it was"
    assert bob.points["total--check-1"] == 0.5
    shown = nbformat.read(course.notebook("autograded", "sums", "bob"), as_version=4)
    assert "1 and -1" in json.dumps(shown)
    assert marking.mark_class(course, "sums", progress=silent)[:2] == (0, 3)  # all of them are current


def test_an_interrupted_regrade_goes_on_and_remembers_the_old_points(graded):
    course, _ = graded
    release_again(course, CHAPTER.replace(VISIBLE, SHARPER))
    told = []

    def interrupt(done, everything):
        told.append((done, everything))
        if everything == 3 and done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        regrade(course, "sums", "twice", progress=interrupt)
    assert course.result("sums", "x").with_name(".regrade-twice").is_file()
    told.clear()
    changes = regrade(course, "sums", "twice", progress=lambda *numbers: told.append(numbers))
    assert told[-1] == (2, 2)
    assert changes == [Change("ada", 10.0, 10.0), Change("bob", 7.0, 5.0), Change("cyd", 0.0, 0.0)]
    assert not course.result("sums", "x").with_name(".regrade-twice").exists()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("eve", "'eve' is no id in roster.csv and no exercise with checks of sums; .* are twice, total"),
        ("../ada", "is no id in roster.csv"),
        ("dan", "nothing of dan was collected for sums"),
    ],
)
def test_what_is_unknown_cannot_be_marked_again(graded, what, said):
    with pytest.raises(CourseProblem, match=said):
        regrade(graded[0], "sums", what, progress=silent)


def test_a_submission_that_was_damaged_later_is_named(graded):
    course, _ = graded
    course.notebook("submitted", "sums", "bob").write_text("{", encoding="utf-8")
    with pytest.raises(CourseProblem, match=r"the file of bob cannot be marked: .*not JSON.*; collect again"):
        marking.mark_class(course, "sums", progress=silent)
    assert by_exercise(points(course, "ada")) == FULL
