"""The course at a glance: each step moves one column on and names the next; what is outdated is seen."""

import shutil

from margins_course import command
from margins_course.assignments.sheet import read_sheet
from margins_course.grading.results import HandMark, append_hand_mark, read_result
from margins_course.grading.status import COLUMNS, status
from tests.margins_course.fast_marking import marked_fast
from tests.margins_course.grading.test_student_work import PROOF
from tests.margins_course.marking_class import course_of
from tests.margins_course.sums_assignment import CHAPTER, RIGHT


def row(course):
    (found,) = [found for found in status(course) if found["assignment"] == "sums"]
    return ", ".join(found.get(column, "") for column in (*COLUMNS[1:], "next"))


def run(course, *words):
    assert command.main([*words, "--course", str(course.root)]) == 0


def test_every_step_is_seen_and_the_next_is_named(tmp_path, monkeypatch):
    marked_fast(monkeypatch)
    course = course_of(tmp_path, ["ada", "bob"], CHAPTER + PROOF)
    assert row(course) == "yes, 0 of 2, 0, 0, 0, 0 of 0, no, margins-course collect sums FILES"
    course.hand_in({"ada": RIGHT | {"even--answer": "Clear."}})
    assert row(course) == "yes, 1 of 2, 0, 0, 0, 0 of 0, no, margins-course grade sums"
    run(course, "grade", "sums")
    assert row(course) == "yes, 1 of 2, 1, 0, 1, 0 of 1, no, margins-course review sums"
    work = read_result(course.result("sums", "ada")).work["even"]
    mark = HandMark("ada", "even", work.fingerprint, (2.0,))
    append_hand_mark(course, "sums", mark, read_sheet(course.source_text("sums")))
    assert row(course) == "yes, 1 of 2, 1, 0, 0, 0 of 1, no, margins-course feedback sums"
    run(course, "feedback", "sums")
    assert row(course) == "yes, 1 of 2, 1, 0, 0, 1 of 1, no, margins-course export sums"
    run(course, "export")
    assert row(course) == "yes, 1 of 2, 1, 0, 0, 1 of 1, yes, "

    course.hand_in({"ada": RIGHT})
    assert row(course) == "yes, 1 of 2, 0, 1, 0, 0 of 0, outdated, margins-course grade sums"
    run(course, "grade", "sums")
    assert row(course) == "yes, 1 of 2, 1, 0, 0, 0 of 1, outdated, margins-course feedback sums"
    course.release_again((CHAPTER + PROOF).replace(":points: 2", ":points: 3"))
    assert row(course).split(", ")[2:4] == ["0", "1"]
    path = course.settings("sums")
    path.write_text(path.read_text(encoding="utf-8").replace("- twice ", "- twice: 9 "), encoding="utf-8")
    assert row(course).startswith("outdated, ")
    assert row(course).endswith(", margins-course release sums")
    course.notebook("submitted", "sums", "ada").write_bytes(b"")
    course.release_again(CHAPTER + PROOF)
    assert row(course).endswith(", margins-course collect sums FILES")


def test_a_broken_assignment_hides_no_other_and_the_command_shows_all(tmp_path, monkeypatch, capsys):
    course = course_of(tmp_path, ["ada"])
    for name in ("begun", "broken"):
        shutil.copytree(course.settings("sums").parent, course.settings(name).parent)
    course.settings("broken").write_text("title: [", encoding="utf-8")
    run(course, "status")
    head, begun, broken, sums = capsys.readouterr().out.splitlines()
    assert head.split() == [*COLUMNS, "next"]
    assert begun.split(maxsplit=2)[:2] == ["begun", "no"]
    assert begun.endswith("margins-course release begun")
    assert "assignment.yml" in broken
    assert sums.endswith("margins-course collect sums FILES")


def test_an_empty_course_says_what_to_do(tmp_path, capsys):
    assert command.main(["status", "--course", str(tmp_path)]) == 2
    assert "run `margins-course new NAME CHAPTER`" in capsys.readouterr().err
