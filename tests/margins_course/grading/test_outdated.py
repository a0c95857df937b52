"""No mark is of another file, of other checks, of another maximum or of other settings."""

import re
from dataclasses import replace

import pytest

from margins_course import CourseProblem
from margins_course.collecting.collect import collect
from margins_course.folder import read_table
from margins_course.grading import marking
from margins_course.grading.export import export, notices
from margins_course.grading.results import as_json, read_result
from margins_course.grading.totals import totals
from margins_course.pages.feedback import write_feedback
from margins_course.pages.review import ReviewState
from tests.margins_course.fast_marking import marked_fast
from tests.margins_course.marking_class import course_of, hand_in, release_again, silent
from tests.margins_course.sums_assignment import CHAPTER, RIGHT, answered


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Ada has answered everything right, and is marked, exported and told so."""
    marked_fast(monkeypatch)
    made, student = course_of(tmp_path, ["ada"])
    made.student = student
    hand_in(made, student, {"ada": RIGHT})
    marking.mark_class(made, "sums", progress=silent)
    write_feedback(made, "sums", silent)
    assert exported(made) == ("10", "accepted")
    return made


def exported(course):
    export(course, ["sums"])
    (row,) = read_table(course.report("marks.csv"))
    return row["sums"], row["sums status"]


def settle(course, old, new):
    path = course.settings("sums")
    text, number = re.subn(old, new, path.read_text(encoding="utf-8"), count=1)
    assert number == 1
    path.write_text(text, encoding="utf-8")


def is_blank(course, why):
    score, said = exported(course)
    page = course.feedback("sums", "ada").read_text(encoding="utf-8")
    assert (score, why in said) == ("", True), said
    assert any(line.startswith("sums: 1 without a mark: ") and why in line for line in notices(course))
    assert totals(course, "sums")[0].digest not in page
    assert ReviewState(course, "sums").fingerprint("ada", "twice") is None
    return True


def test_other_points_blank_the_mark_until_released_and_graded(course):
    settle(course, "- twice.*", "- twice: 20")
    assert is_blank(course, "margins-course release sums")
    with pytest.raises(CourseProblem, match="margins-course release sums"):
        marking.mark_class(course, "sums", progress=silent)
    release_again(course, CHAPTER)
    assert is_blank(course, "margins-course grade sums")
    marking.mark_class(course, "sums", progress=silent)
    assert exported(course) == ("25", "accepted")


def test_a_stricter_check_blanks_the_mark_until_graded(course):
    old, new = "(twice(np.arange(3.0)), [0, 2, 4])", "(twice(np.array([1.0, -1.0])), [2, -2])"
    assert old in CHAPTER
    release_again(course, CHAPTER.replace(old, new))
    assert is_blank(course, "checks or points changed after it was marked: margins-course grade sums")
    marking.mark_class(course, "sums", progress=silent)
    assert exported(course) == ("10", "accepted")


def test_another_due_date_or_text_keeps_the_mark(course):
    settle(course, "(?m)^title:", "due: 2126-10-01 23:59\ntitle:")
    release_again(course, CHAPTER.replace("Write `total(x)`", "Please write `total(x)`"))
    assert exported(course) == ("10", "accepted")


def test_a_file_that_is_collected_while_it_is_marked_blanks_the_mark(course, monkeypatch):
    """The result of the old file is written after the new one was placed."""
    grade = marking.grade

    def slow(content, *arguments, **options):
        result = grade(content, *arguments, **options)
        (course.root.parent / "in" / "ada.ipynb").write_text(answered(course.student, {}), encoding="utf-8")
        collect(course, "sums", course.root.parent / "in")
        return result

    course.result("sums", "ada").unlink()
    with monkeypatch.context() as race:
        race.setattr(marking, "grade", slow)
        marking.mark_class(course, "sums", progress=silent)
    assert is_blank(course, "another file counts since it was marked: margins-course grade sums")
    marking.mark_class(course, "sums", progress=silent)
    assert exported(course) == ("0", "accepted")


def test_a_result_whose_time_ran_out_beside_others_blanks_the_mark(course):
    path = course.result("sums", "ada")
    path.write_text(as_json(replace(read_result(path), ran_out=True)), encoding="utf-8")
    assert is_blank(course, "its time ran out beside others")
    marking.mark_class(course, "sums", progress=silent)
    assert exported(course) == ("10", "accepted")


def test_a_damaged_file_and_an_error_of_ours_cost_one_student_the_mark_and_are_named(course, monkeypatch):
    course.roster.write_text("id,name\nada,Ada\nbob,Bob\n", encoding="utf-8")
    hand_in(course, course.student, {"bob": {"total": RIGHT["total"]}})
    course.notebook("submitted", "sums", "ada").write_bytes(b"")
    new, everybody, (note,), _ = marking.mark_class(course, "sums", progress=silent)
    assert (new, everybody) == (1, 2)
    assert note.startswith("ada: the file in submitted/ is not the one that counts: collect again")
    assert [total.score for total in totals(course, "sums")] == [10.0, 5.0]
    hand_in(course, course.student, {"ada": {}, "bob": RIGHT})
    grades = iter([lambda *_, **__: 1 / 0, marking.grade])
    monkeypatch.setattr(marking, "grade", lambda *given, **options: next(grades)(*given, **options))
    new, everybody, (note,), _ = marking.mark_class(course, "sums", progress=silent)
    assert (new, everybody) == (1, 2)
    assert "ada" in note
    assert "ZeroDivisionError('division by zero')" in note
    assert [total.score for total in totals(course, "sums")] == [None, 10.0]
