"""No mark is of another file, of other checks, of another maximum or of other settings."""

import re
from dataclasses import replace

import pytest

from margins_course import CourseProblem
from margins_course.folder import read_table
from margins_course.grading import marking
from margins_course.grading.export import export, notices
from margins_course.grading.results import as_json, read_result
from margins_course.grading.totals import totals
from margins_course.pages.feedback import write_feedback
from margins_course.pages.review import ReviewState
from tests.margins_course.marking_class import silent
from tests.margins_course.sums_assignment import CHAPTER


@pytest.fixture
def course(graded):
    """Ada has answered everything right, and is marked, exported and told so."""
    write_feedback(graded, "sums", silent)
    assert exported(graded) == ("10", "accepted")
    return graded


def exported(course):
    export(course, ["sums"])
    ada = read_table(course.report("marks.csv"))[0]
    return ada["sums"], ada["sums status"]


def settle(course, old, new):
    path = course.settings("sums")
    text, number = re.subn(old, new, path.read_text(encoding="utf-8"), count=1)
    assert number == 1
    path.write_text(text, encoding="utf-8")


def is_blank(course, why):
    score, said = exported(course)
    page = course.feedback("sums", "ada").read_text(encoding="utf-8")
    assert (score, why in said) == ("", True), said
    assert any(re.match(f"sums: . without a mark: .*{why}", line) for line in notices(course))
    assert totals(course, "sums")[0].digest not in page
    assert ReviewState(course, "sums").fingerprint("ada", "twice") is None
    return True


def test_other_points_blank_the_mark_until_released_and_graded(course):
    settle(course, "- twice.*", "- twice: 20")
    assert is_blank(course, "margins-course release sums")
    with pytest.raises(CourseProblem, match="margins-course release sums"):
        course.mark()
    course.release_again(CHAPTER)
    assert is_blank(course, "checks or points changed after it was marked: margins-course grade sums")
    course.mark()
    assert exported(course) == ("25", "accepted")


def test_another_due_date_or_text_keeps_the_mark(course):
    settle(course, "(?m)^title:", "due: 2126-10-01 23:59\ntitle:")
    course.release_again(CHAPTER.replace("Write `total(x)`", "Please write `total(x)`"))
    assert exported(course) == ("10", "accepted")


def test_a_file_that_is_collected_while_it_is_marked_blanks_the_mark(course, monkeypatch):
    """The result of the old file is written after the new one was placed."""
    grade = marking.grade

    def slow(content, *arguments, **options):
        result = grade(content, *arguments, **options)
        course.hand_in({"ada": {}})
        return result

    course.result("sums", "ada").unlink()
    with monkeypatch.context() as race:
        race.setattr(marking, "grade", slow)
        course.mark()
    assert is_blank(course, "another file counts since it was marked: margins-course grade sums")
    course.mark()
    assert exported(course) == ("0", "accepted")


def test_a_result_whose_time_ran_out_beside_others_blanks_the_mark(course):
    path = course.result("sums", "ada")
    path.write_text(as_json(replace(read_result(path), ran_out=True)), encoding="utf-8")
    assert is_blank(course, "its time ran out beside others")
    course.mark()
    assert exported(course) == ("10", "accepted")
