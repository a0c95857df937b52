"""Records of deliveries: damaged lines are named, lateness follows from records and settings."""

from datetime import timedelta

import pytest

from margins_course.collecting.records import journal_of_deliveries, read_records, standings
from margins_course.collecting.roster import read_roster
from tests.margins_course.courses import (
    DUE,
    EARLY,
    LATE,
    NAME,
    answered,
    came,
    moodle,
    rows_by_id,
    settings_of,
)


def test_an_extension_granted_later_changes_lateness_without_collecting_again(course, monkeypatch):
    came(course, ("ada.ipynb", answered("a"), LATE))
    students, longer = read_roster(course.roster), [DUE + timedelta(minutes=n) for n in (31, 30)]
    for changes, late in (({"ada": longer[0]}, 0), ({"ada": longer[1]}, 60)):
        settings = settings_of(monkeypatch, extensions=changes)
        assert standings(course, settings, students)["ada"].seconds_late == late
    settings = settings_of(monkeypatch, due=None)
    assert standings(course, settings, students)["ada"].status == "accepted"


def test_a_line_of_the_journal_that_a_crash_cut_off_is_named_and_comes_again(course):
    members = [("ada.ipynb", answered("a"), LATE), ("bob.ipynb", answered("b"))]
    came(course, *members)
    records = course.deliveries(NAME) / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-30])
    collected = came(course, *members)
    assert collected.new == 1
    (note,) = collected.notes
    assert "records.jsonl, line 2, is cut off or damaged" in note
    assert [row["status"] for row in collected.rows[:2]] == ["late", "accepted"]


@pytest.mark.parametrize("line", ['{"student": 3}', "[1]", "[" * 100_000, '{"a": 1}', "\xff", "null"])
def test_lines_that_are_no_records_count_for_nothing_and_are_named(course, line):
    (course.deliveries(NAME)).mkdir(parents=True)
    (course.deliveries(NAME) / "records.jsonl").write_text(line + "\n", encoding="latin-1")
    came(course, ("ada.ipynb", answered("a")))
    assert len(journal_of_deliveries(course, NAME).damaged) == 1
    assert [record.student for record in read_records(course, NAME)] == ["ada"]


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
    row = rows_by_id(came(course, (file, answered("b"), when)))["bob"]
    assert (row["status"], int(row["seconds_late"])) == (status, seconds)
    assert remark in row["reason"]


def test_canvas_late_mark_without_a_due_time_is_noted(course, monkeypatch):
    settings_of(monkeypatch, due=None)
    row = rows_by_id(came(course, ("leebob_LATE_1001_7_s.ipynb", answered("b"), LATE)))["bob"]
    remark = "Canvas calls it late, but assignment.yml names no time"
    assert (row["status"], row["reason"]) == ("accepted", remark)
