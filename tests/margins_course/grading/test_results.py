"""Marks by hand: a mark that was given is on the disk, and one that could not be kept is refused loudly."""

import json
import multiprocessing
import os
from dataclasses import replace

import pytest

from margins_course import CourseProblem
from margins_course.folder import CourseFolder
from margins_course.grading.results import (
    LONGEST_COMMENT,
    HandMark,
    append_hand_mark,
    journal_of_marks,
    read_hand_marks,
)
from tests.margins_course.courses import NAME, SHEET, lines_of

GOOD = HandMark("ada", "proof", "print", (2.0, 1.5), 0.5, "Well argued; \u202e \ud800 \U0001f600\n</script>")


@pytest.fixture
def course(tmp_path):
    return CourseFolder(tmp_path)


def test_the_last_mark_counts_and_every_earlier_one_stays(course):
    first = append_hand_mark(course, NAME, GOOD, SHEET)
    assert first.comment == "Well argued; \u202e ? \U0001f600\n</script>"
    assert first.when.endswith("+00:00")
    second = append_hand_mark(course, NAME, HandMark("ada", "proof", "other", (0, 3)), SHEET)
    third = append_hand_mark(course, NAME, HandMark("bob", "twice", "p", None, -1), SHEET)
    assert read_hand_marks(course, NAME) == {("ada", "proof"): second, ("bob", "twice"): third}
    assert journal_of_marks(course, NAME).entries == [first, second, third]
    assert second.lines == (0.0, 3.0)
    assert len(lines_of(course.hand_marks(NAME))) == 3


REFUSED = {
    "'other' is no exercise of sums; expected twice, proof, both": [{"exercise": "other"}],
    "expected the id of a student": [{"student": "../x"}, {"student": ""}],
    "text for text": [{"fingerprint": 3}, {"comment": None}],
    "20001 characters of comment; at most 20000": [{"comment": "x" * (LONGEST_COMMENT + 1)}],
    "expected points for 2 lines": [{"lines": (2.0,)}, {"lines": (2.0, 1.0, 0.0)}],
    "2.5 points in line 1; expected 0 to 2": [{"lines": (2.5, 0.0)}],
    "-0.5 points in line 2; expected 0 to 3": [{"lines": (0.0, -0.5)}],
    "numbers for points": [
        *({"lines": (0.0, points)} for points in (float("nan"), None)),
        *({"lines": lines} for lines in ((True, 0.0), ("1", 0.0), "23")),
        *({"adjust": points} for points in (float("inf"), float("nan"), 10**400, "1")),
    ],
}


@pytest.mark.parametrize("said", REFUSED)
def test_a_mark_that_says_what_it_may_not_is_refused(course, said):
    for change in REFUSED[said]:
        with pytest.raises(CourseProblem) as refused:
            append_hand_mark(course, NAME, replace(GOOD, **change), SHEET)
        assert said in str(refused.value), change
    assert not course.hand_marks(NAME).exists()


def write_many(root, student):
    course = CourseFolder(root)
    for number in range(50):
        append_hand_mark(course, NAME, HandMark(student, "twice", "p", None, number, "x" * 5000), SHEET)


def test_two_who_mark_at_once_lose_nothing(course):
    many = multiprocessing.get_context("spawn")
    with many.Pool(2) as pool:
        pool.starmap(write_many, [(course.root, student) for student in ("s0", "s1")], chunksize=1)
    journal = journal_of_marks(course, NAME)
    assert journal.damaged == []
    for student in ("s0", "s1"):
        assert [mark.adjust for mark in journal.entries if mark.student == student] == list(range(50))


@pytest.mark.parametrize(
    "change",
    [{"lines": 3}, {"lines": ["a"]}, {"lines": [1e300, 0]}, {"adjust": None}, {"when": 5}, {"more": 1}],
)
def test_a_line_that_is_no_mark_is_named(course, change):
    append_hand_mark(course, NAME, GOOD, SHEET)
    (kept,) = lines_of(course.hand_marks(NAME))
    course.hand_marks(NAME).write_text(json.dumps(kept | change) + "\n")
    assert read_hand_marks(course, NAME) == {}
    assert len(journal_of_marks(course, NAME).damaged) == 1


@pytest.mark.parametrize("failing", ["write", "fsync", "open"])
def test_an_error_of_the_disk_is_never_silent(course, monkeypatch, failing):
    append_hand_mark(course, NAME, GOOD, SHEET)
    before = course.hand_marks(NAME).read_bytes()

    def fail(*given, write=os.write):
        if failing == "write" and len(given[1]) > 9:
            return write(given[0], given[1][:-9])  # the disk is full behind most of it
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, failing, fail)
        said = rf"{NAME}.jsonl could not be written \(No space left on device\); nothing of this was kept"
        with pytest.raises(CourseProblem, match=said):
            append_hand_mark(course, NAME, GOOD, SHEET)
    assert course.hand_marks(NAME).read_bytes() == before
