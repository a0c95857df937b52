"""Records of deliveries: damaged lines are named, lateness follows from records and settings."""

from datetime import timedelta

import pytest

from margins_course.collecting.records import standings
from margins_course.collecting.roster import read_roster
from tests.margins_course.courses import DUE, EARLY, LATE, answered, moodle, rows_by_id, settings_of


def test_an_extension_granted_later_changes_lateness_without_collecting_again(course, monkeypatch):
    course.came(("ada.ipynb", answered("a"), LATE), ("leebob_LATE_1001_7_s.ipynb", answered("b"), LATE))
    students, longer = read_roster(course.roster), [DUE + timedelta(minutes=n) for n in (31, 30)]
    for changes, late in (({"ada": longer[0]}, 0), ({"ada": longer[1]}, 60)):
        settings = settings_of(monkeypatch, extensions=changes)
        assert standings(course, settings, students)["ada"].seconds_late == late
    settings = settings_of(monkeypatch, due=None)
    found = standings(course, settings, students)
    assert {found[who].status for who in ("ada", "bob")} == {"accepted"}
    assert found["bob"].reason == "Canvas calls it late, but assignment.yml names no time"


CUT_OFF = '{"file": "ada.ipynb", "reason": "'
NONE = [CUT_OFF, '{"student": 3}', "[1]", "[" * 100_000, '{"a": 1}', "\xff", "null"]


@pytest.mark.parametrize("line", NONE)
def test_lines_that_are_no_records_are_named_and_what_they_told_of_comes_again(course, line):
    records = course.records
    course.came(("bob.ipynb", answered("b")))
    records.write_bytes(records.read_bytes() + line.encode("latin-1"))
    collected = course.came(("ada.ipynb", answered("a"), LATE), ("bob.ipynb", answered("b")))
    assert collected.new == 1
    (note,) = collected.notes
    assert "records.jsonl, line 2, is cut off or damaged" in note
    assert [row["status"] for row in collected.rows[:2]] == ["late", "accepted"]


# ---- lateness
@pytest.mark.parametrize(
    ("file", "when", "status", "seconds", "remark"),
    [
        ("leebob_1001_7_s.ipynb", LATE, "accepted", 0, "does not call it late"),
        ("leebob_LATE_1001_7_s.ipynb", LATE, "late", 1860, "at most until the download"),
        ("leebob_LATE_1001_7_s.ipynb", EARLY, "accepted", 0, "came before the time that holds"),
        ("leebob_1001_7_s.ipynb", EARLY, "accepted", 0, ""),
        ("bob_1001_5_y_LATE_1001_78_s.ipynb", LATE, "late", 1860, "at most until the download"),
        (moodle("Bob Lee", 7), LATE, "late", 1860, ""),
        ("bob/a_1001_7_s.ipynb", LATE, "late", 1860, ""),
    ],
)
def test_canvas_knows_who_is_late_and_other_zips_know_when(course, file, when, status, seconds, remark):
    row = rows_by_id(course.came((file, answered("b"), when)))["bob"]
    assert (row["status"], int(row["seconds_late"])) == (status, seconds)
    assert remark in row["reason"]
