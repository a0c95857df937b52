"""An assignment's settings: what is written reads back; every mistake is named with its line and a remedy."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from margins_course import CourseProblem, command
from margins_course.assignments.due_dates import LateRule
from margins_course.assignments.new_settings import write_new_settings
from margins_course.assignments.settings import Chosen, read_settings
from margins_course.folder import CourseFolder, write
from tests.margins_course.assignments.excursion_chapter import TWO_TRACKS
from tests.margins_course.assignments.test_checks_of_the_book import SAMPLED, name

FULL = """\
title: Homework 1
exercises:
  01_svm_duality:
    - svm-intercept
    - svm-pair-step: 8
  2:
    - ker-features: 2.5
due: 2026-10-01 23:59
time_zone: Europe/Berlin
late:
  grace_minutes: 15
  per_day: 10%
  days: 3
extensions:
  alovelace: 2026-10-08 23:59
private_checks: private
"""
BERLIN = "exercises:\n  1:\n    - a\ntime_zone: Europe/Berlin\ndue: "


@pytest.fixture
def course(tmp_path):
    return CourseFolder(tmp_path)


def put(course, content):
    write(course.settings("hw"), content)
    return course


def test_every_setting_is_read(course):
    found = read_settings(put(course, FULL), "hw")
    assert (found.name, found.title) == ("hw", "Homework 1")
    assert found.exercises == (
        Chosen("01_svm_duality", "svm-intercept"),
        Chosen("01_svm_duality", "svm-pair-step", 8.0),
        Chosen("2", "ker-features", 2.5),
    )
    assert found.due.astimezone(UTC) == datetime(2026, 10, 1, 21, 59, tzinfo=UTC)
    assert found.late == LateRule(0.1, 3, timedelta(minutes=15))
    assert found.due_for("alovelace").astimezone(UTC) == datetime(2026, 10, 8, 21, 59, tzinfo=UTC)
    assert found.due_for("gboole") == found.due
    assert found.private_checks == course.settings("hw").parent / "private"
    assert (found.lines["2", ""], found.lines["01_svm_duality", "svm-pair-step"]) == (6, 5)
    assert found.notice == (
        "**Due:** Thursday, 1 October 2026, 23:59 (Europe/Berlin); the first 15 minutes after that cost "
        "nothing; each day begun after that costs 10 % of the score; what comes more than 3 days late "
        "scores 0."
    )


def test_what_is_left_out_has_its_default(course):
    found = read_settings(put(course, "exercises:\n  1:\n    - svm-hulls\nlate:\nextensions:\n"), "hw")
    assert (found.title, found.due, found.zone.key) == ("hw", None, "UTC")
    assert (found.late, found.extensions, found.notice) == (LateRule(), {}, "")
    assert found.private_checks is None
    assert found.due_for("anybody") is None


MISTAKES = {  # what is replaced, by what, the line that must be named, what must be said
    "unknown key": ("private_checks", "private_check", 16, "did you mean 'private_checks'"),
    "unknown key in late": ("  days: 3", "  dayz: 3", 13, "did you mean 'days'"),
    "key far from all": ("private_checks: private", "zzz: false", 16, "known are title, exercises"),
    "key twice": ("private_checks: private", "title: Again", 16, "comes twice in the file, first in line 1"),
    "exercise twice": ("    - svm-pair-step: 8", "    - svm-intercept", 5, "comes twice, first in line 4"),
    "points no number": ("svm-pair-step: 8", "svm-pair-step: many", 5, "'many'; expected a number above 0"),
    "points zero": ("svm-pair-step: 8", "svm-pair-step: 0.0", 5, "'0.0'"),
    "points negative": ("svm-pair-step: 8", "svm-pair-step: -2", 5, "'-2'"),
    "points too fine": ("svm-pair-step: 8", "svm-pair-step: 8.125", 5, "at most two decimals"),
    "points in other digits": ("svm-pair-step: 8", "svm-pair-step: ٨", 5, "expected a number above 0"),
    "two in one line": ("- svm-pair-step: 8", "- {svm-pair-step: 8, svm-hulls: 2}", 5, "one exercise a line"),
    "no list": ("    - ker-features: 2.5", "    ker-features: 2.5", 7, "must be a list"),
    "chapter without exercises": ("    - ker-features: 2.5\n", "", 6, "no exercise of 2 is chosen"),
    "no date": ("due: 2026-10-01 23:59", "due: tomorrow", 8, "'tomorrow' is no date with a time"),
    "date without time": ("due: 2026-10-01 23:59", "due: 2026-10-01", 8, "one such as 2026-10-01 23:59"),
    "the 31st of a short month": ("due: 2026-10-01 23:59", "due: 2026-09-31 23:59", 8, "day is out of range"),
    "year 1": ("due: 2026-10-01 23:59", "due: 0001-01-01 00:00", 8, "has the year 1"),
    "time that does not exist": ("due: 2026-10-01 23:59", "due: 2026-03-29 02:30", 8, "does not exist in Eu"),
    "unknown zone": ("Europe/Berlin", "europe/berlim", 9, "did you mean Europe/Berlin"),
    "zone that is a path": ("Europe/Berlin", "../../etc/passwd", 9, "unknown time zone"),
    "zone that is a folder": ("Europe/Berlin", "Europe", 9, "unknown time zone"),
    "percent without sign": ("per_day: 10%", "per_day: 0.1", 12, "a percentage such as 10%"),
    "percent above 100": ("per_day: 10%", "per_day: 110%", 12, "must be 0% to 100%"),
    "negative grace": ("grace_minutes: 15", "grace_minutes: -1", 11, "a number such as 15"),
    "part of a day": ("days: 3", "days: 2.5", 13, "a whole number such as 3"),
    "extension before due": ("2026-10-08", "2026-09-08", 15, "ends before the assignment is due, Thursday"),
    "extension is no date": ("2026-10-08 23:59", "next week", 15, "the extension of alovelace: 'next week'"),
    "extension without due": ("due: 2026-10-01 23:59\n", "", 14, "nothing is due"),
    "title is a list": ("title: Homework 1", "title: [a, b]", 1, "title must be text, but got a list"),
    "title of two lines": ("title: Homework 1", 'title: "a\\nb"', 1, "one line of printable text"),
    "tab": ("  grace_minutes", "\tgrace_minutes", 11, "replace the tab by spaces"),
    "no colon": ("time_zone: Europe/Berlin", "time_zone", 10, "this is not YAML"),
    "open quote": ("title: Homework 1", 'title: "Homework', 1, "this is not YAML"),
    "alias": ("private_checks: private", "private_checks: *x", 16, "undefined alias"),
    "list in itself": ("title: Homework 1", "title: &x [*x]", 1, "must be text, but got a list"),
    "type": ("title: Homework 1", "title: !!python/object/apply:os.system [id]", 1, "must be text"),
    "second document": ("private_checks: private", "---\ntitle: A", 16, "found another document"),
}  # fmt: skip


def test_a_mistake_is_named_with_its_line(course):
    for kind, (before, after, line, said) in MISTAKES.items():
        assert FULL.count(before) == 1, kind
        with pytest.raises(CourseProblem) as refusal:
            read_settings(put(course, FULL.replace(before, after)), "hw")
        assert f"assignment.yml, line {line}: " in str(refusal.value), kind
        assert said in str(refusal.value), kind


NO_SETTINGS = {
    b"": "is empty",
    b"# nothing\n": "is empty",
    b"- a\n": "line 1: the file must be lines of the form",
    b"title: A\n": "no exercises are chosen",
    b"title: A\nexercises:\n": "no exercises are chosen",
    b"title: A\ntitel: \xff\n": "line 2: this is not UTF-8",
    b"title: A\x00\n": "cannot be read as YAML",
    b"#" * 100_001: "has 100001 bytes; at most 100000",
    b"title: " + b"[" * 5000: "cannot be read as YAML: maximum recursion depth",
}


def test_a_file_that_holds_no_settings_is_refused_and_so_are_a_missing_one_and_one_of_no_name(course):
    refusals = [("hw", "margins-course new hw CHAPTER")]
    refusals += [(typed, "cannot be called") for typed in ("../hw", "a/b", "", "-x", "a b")]
    for typed, said in refusals:
        with pytest.raises(CourseProblem, match=said):
            read_settings(course, typed)
    for content, said in NO_SETTINGS.items():
        with pytest.raises(CourseProblem, match=said):
            read_settings(put(course, content), "hw")
    assert read_settings(put(course, FULL), "hw").extensions
    course.roster.write_text("id,name\ngboole,George Boole\n", encoding="utf-8")
    with pytest.raises(CourseProblem, match="line 15: alovelace has an extension, but ros"):
        read_settings(course, "hw")


DATES = dict.fromkeys(["07-01 12:00", "07-01T12:00:00", "7-1 12:00"], (7, 1, 10, 0))
DATES |= {"10-25 02:30": (10, 25, 1, 30)}  # of a time that comes twice the later one


def test_dates_are_read_in_their_zone_however_yaml_would_take_them(course):
    for date, moment in DATES.items():
        for written in (f"2026-{date}", f"'2026-{date}'"):
            due = read_settings(put(course, BERLIN + written), "hw").due
            assert due.astimezone(UTC) == datetime(2026, *moment, tzinfo=UTC)


def test_new_settings_explain_themselves_and_can_be_read(course, monkeypatch):
    monkeypatch.setenv("TZ", ":Europe/Berlin")
    path = write_new_settings(course, "homework-1", ["1", "02_kernels"])
    text = path.read_text(encoding="utf-8")
    found = read_settings(course, "homework-1")
    assert (found.title, found.zone.key, found.due) == ("Homework 1", "Europe/Berlin", None)
    assert {chosen.chapter for chosen in found.exercises} == {"01_svm_duality", "02_kernels"}
    assert "- svm-intercept  " in text
    assert "# The intercept · code ★, 4 points" in text
    assert "# - svm-how-slow " in text
    switched_on = re.sub(r"(?m)^# ((due|late|extensions|private_checks):| {2}\w+: )", r"\1", text)
    path.write_text(switched_on, encoding="utf-8")
    found = read_settings(course, "homework-1")
    assert found.late == LateRule(0.1, 3, timedelta(minutes=15))
    assert list(found.extensions) == ["alovelace"]
    assert found.private_checks.name == "private"


def test_new_settings_overwrite_nothing_and_name_each_chapter_once(course):
    path = write_new_settings(course, "hw", ["1"])
    path.write_text("mine", encoding="utf-8")
    for called, chapters, said in [
        ("hw", ["1"], "is there already"),
        ("other", ["1", "01_svm_duality"], "01_svm_duality comes twice"),
        ("other", ["99"], "no chapter '99'.* 01_svm_duality"),
        ("../x", ["1"], "cannot be called"),
    ]:
        with pytest.raises(CourseProblem, match=said):
            write_new_settings(course, called, chapters)
    assert path.read_text(encoding="utf-8") == "mine"


def test_the_spine_is_taken_and_what_goes_with_excursions_is_a_line_away(course, capsys):
    path = course.root / "07_doubling.md"
    path.write_text(TWO_TRACKS, encoding="utf-8")
    typed = ["--course", str(course.root)]
    assert command.main(["new", "hw", str(path), *typed]) == 0
    assert [one.label for one in read_settings(course, "hw").exercises] == ["twice"]
    said = "    # - even   # Even · prove ★, 3 points by hand; excursion 7.B\n"
    assert said in capsys.readouterr().out
    text = course.settings("hw").read_text(encoding="utf-8")
    assert "    # - open " in text
    course.settings("hw").write_text(text.replace("    # - even", "    - even: 5"), encoding="utf-8")
    assert command.main(["release", "hw", "--otter", *typed]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["Hw: 8 points", "  twice: Twice, 3 points", "  even: Even, 5 points"]
    assert "  otter/hw/hw.ipynb  (for otter assign)" in printed


def test_a_chapter_whose_exercises_all_go_with_excursions_gives_all_of_them(course):
    path = course.root / "07_doubling.md"
    path.write_text(TWO_TRACKS.replace("a-theorem", "more-thm"), encoding="utf-8")
    write_new_settings(course, "hw", [str(path)])
    assert [one.label for one in read_settings(course, "hw").exercises] == ["twice", "again", "even"]


@pytest.mark.parametrize("path", SAMPLED, ids=name)
def test_every_chapter_has_settings_to_begin_with(course, path):
    write_new_settings(course, path.stem, [path.stem])
    assert read_settings(course, path.stem).exercises
