"""Export: blanks with reasons, tables that each LMS imports, bundles that it takes."""

import csv
import io
import zipfile
from dataclasses import replace

import pytest

from margins_course import CourseProblem
from margins_course.collecting.collect import collect
from margins_course.collecting.owners import Owners
from margins_course.collecting.roster import Student, read_roster
from margins_course.grading.export import canvas_member, export, moodle_member, notices, status, zip_of_pages
from margins_course.grading.results import HandMark, append_hand_mark
from margins_course.grading.totals import totals
from tests.margins_course.courses import (
    NAME,
    SHEET,
    answered,
    made_course,
    marked,
    settings_of,
    zipped,
)

ROSTER = (
    "ada,Ada Lovelace,ada@example.org,1000",
    "bob,=Bob Lee,bob@example.org,1001",
    "cyd,Cyd Oz,,1002",
    "dan,Dan Yu,,1003",
    "eve,Eve Poe,,1004",
)


EARLY = (2026, 3, 1, 9, 0, 0)


ALL = {"twice--check-1": 2.0, "twice--hidden-check-1": 3.0, "both--check-1": 1.0}


TEXTS = {"proof": "Clear.", "both": "Also."}


FILES = {
    "ada": "Ada Lovelace_555_assignsubmission_file/sums.ipynb",
    "bob": "leebob_LATE_1001_78_..%2f..%2fevil<script>.ipynb",
    "cyd": "ozcyd_1002_79_x.ipynb",
    "dan": "Dan Yu_558_assignsubmission_file_/n.ipynb",
}


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def test_own_table_tells_what_lateness_cost(course):
    total = next(total for total in totals(course, NAME) if total.student.id == "ada")
    late = replace(total, standing=replace(total.standing, status="late"), reason="came 1 day late")
    assert status(late) == "late: came 1 day late"


def test_own_table_tells_score_status_reason_and_points_of_each_exercise(course):
    export(course)
    rows = {row["id"]: row for row in table(course.report("marks.csv"))}
    assert [rows[who][NAME] for who in rows] == ["13.25", "0", "", "", ""]
    assert [(rows[who]["total"], rows[who]["blank"]) for who in ("ada", "bob", "cyd")] == [
        ("13.25", "0"),
        ("0", "0"),
        ("0", "1"),
    ]
    status = {who: row[f"{NAME} status"] for who, row in rows.items()}
    assert status["ada"] == "accepted"
    assert status["cyd"] == "accepted: proof: not marked yet; both: not marked yet"
    assert status["dan"].startswith(
        "refused: Dan Yu_558_assignsubmission_file_/n.ipynb: the file is not a notebook"
    )
    assert status["eve"] == "missing"
    labels = ("twice", "proof", "both")
    assert [[rows[who][f"{NAME}: {label}"] for label in labels] for who in ("ada", "cyd", "eve")] == [
        ["5", "3.25", "5"],
        ["5", "", ""],
        ["", "", ""],
    ]
    assert rows["bob"]["name"] == "'=Bob Lee"


def test_canvas_gets_its_columns_its_second_row_and_blanks(course):
    export(course)
    path = course.report("marks-canvas.csv")
    assert path.read_text("utf-8-sig").splitlines()[0] == "Student,ID,SIS User ID,SIS Login ID,Section,sums"
    points, *students = table(path)
    assert (points["Student"], points["ID"], points[NAME]) == ("Points Possible", "", "15")
    assert [row[NAME] for row in students] == ["13.25", "0", "", "", ""]
    assert [row["ID"] for row in students] == ["1000", "1001", "1002", "1003", "1004"]


def test_moodle_gets_a_dash_where_there_is_no_grade(course):
    export(course)
    rows = table(course.report("marks-moodle.csv"))
    assert list(rows[0]) == ["ID number", "Full name", "Email address", NAME]
    assert [row[NAME] for row in rows] == ["13.25", "0", "-", "-", "-"]


def test_several_assignments_are_summed_and_blanks_counted(course, monkeypatch):
    from margins_course.grading import export as module

    first, other = module.totals(course, NAME), module.totals(course, NAME)[::-1]
    changed = [
        total.__class__(**{**vars(total), "score": score.score})
        for total, score in zip(first, other, strict=True)
    ]
    monkeypatch.setattr(module, "totals", lambda course, name: first if name == NAME else changed)
    monkeypatch.setattr(module, "write_bundles", lambda *_: [])
    export(course, [NAME, "more"])
    rows = table(course.report("marks.csv"))
    assert [(row["total"], row["blank"]) for row in rows] == [
        ("13.25", "1"),
        ("0", "1"),
        ("0", "2"),
        ("0", "1"),
        ("13.25", "1"),
    ]


def test_nothing_marked_says_what_to_do(tmp_path, monkeypatch):
    settings_of(monkeypatch)
    with pytest.raises(CourseProblem, match=r"nothing is marked .* run `margins-course grade NAME` first"):
        export(made_course(tmp_path, ROSTER))


# ---- bundles
def members(path):
    with zipfile.ZipFile(path) as archive:
        return {m.filename: archive.read(m).decode()[: len("<p>ada</p>")] for m in archive.infolist()}


def test_bundles_are_made_for_the_lms_of_which_files_came(course):
    paths = export(course)
    assert [path.name for path in paths[3:]] == ["sums-feedback-moodle.zip", "sums-feedback-canvas.zip"]
    assert members(paths[3]) == {"Ada Lovelace_555_assignsubmission_file/sums.html": "<p>ada</p>"}
    assert members(paths[4]) == {
        "boblee_LATE_1001_78_sums.html": "<p>bob</p>",
        "cydoz_1002_79_sums.html": "<p>cyd</p>",
    }
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in export(course)] == before


def test_a_page_of_work_that_no_longer_counts_is_in_no_bundle(course, tmp_path):
    newer = "Ada Lovelace_555_assignsubmission_file/new.ipynb"
    collect(course, NAME, zipped(tmp_path / "b.zip", [(newer, answered("new"), (2026, 3, 1, 10, 0, 0))]))
    assert [path.name for path in export(course)[3:]] == ["sums-feedback-canvas.zip"]


def moodle_reads(path):
    """The number and the plugin as Moodle reads them: the first part between slashes that fits."""
    for part in path.split("/"):
        info = part.split("_", 4)
        if len(info) >= 4 and info[1].isdecimal():
            return info[1], info[2], info[3]
    return None


def canvas_reads(name):
    """The two numbers as Canvas reads them: the first two parts between underscores that are numbers."""
    return [part for part in name.split("_") if part.isdecimal()][:2]


HOSTILE = [
    "../../x",
    "a/b",
    "x_1000_5_y",
    "Bob_999_assignsubmission",
    "..",
    ".hidden",
    "\u202eda",
    "123",
    "'; rm",
    "\u674e",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_what_goes_into_a_bundle_is_built_from_the_roster_and_numbers(name):
    student = Student("ada", name, lms_id="1000")
    path = moodle_member(f"{name.replace('_', ' ')}_555_assignsubmission_file_x_1_2_y.ipynb", student, NAME)
    assert moodle_reads(path) == ("555", "assignsubmission", "file")
    assert path.count("/") == 1
    assert not {"..", "."} & set(path.split("/"))
    path = canvas_member("whatever_LATE_1000_78_../../../etc_5_6_passwd.ipynb", student, NAME)
    assert path == "" or (canvas_reads(path) == ["1000", "78"] and "/" not in path)
    path = canvas_member("whatever_LATE_1000_78_.._5_6_passwd.ipynb", student, NAME)
    assert canvas_reads(path) == ["1000", "78"]
    assert path.endswith("_1000_78_sums.html")
    assert "/" not in path


def test_a_page_goes_back_to_whom_the_file_was_given(course):
    owners = Owners(read_roster(course.roster))
    for path in (*members(export(course)[3]), *members(export(course)[4])):
        found, _ = owners.owner_of(path)
        assert members(course.report(f"sums-feedback-{'moodle' if '/' in path else 'canvas'}.zip"))[path] == (
            f"<p>{found.id}</p>"
        )


def test_files_that_came_from_no_lms_are_in_no_bundle():
    student = Student("ada", "Ada", lms_id="1000")
    for file in (
        "",
        "ada.ipynb",
        "ada/x_1000_5_y.ipynb",
        "x_1001_5_y.ipynb",
        "Ada_5_assignsubmission_onlinetext/t",
    ):
        assert (moodle_member(file, student, NAME), canvas_member(file, student, NAME)) == ("", "")


def test_a_bundle_does_not_depend_on_the_order_of_its_pages():
    pages = {"b": b"2", "a": b"1"}
    assert zip_of_pages(pages) == zip_of_pages(dict(sorted(pages.items())))


# ---- what to look at
def test_stale_marks_strangers_and_damaged_lines_are_noticed(course):
    waiting = f"{NAME}: {{}} answers to mark: `margins-course review {NAME}`"
    assert notices(course) == [waiting.format(2)]
    marked(course, "ada", ALL, TEXTS | {"proof": "Another."})
    append_hand_mark(course, NAME, HandMark("gone", "twice", "", None), SHEET)
    with course.hand_marks(NAME).open("ab") as file:
        file.write(b'{"cut')
    damaged, stranger, stale, waits, old = notices(course)
    assert waits == waiting.format(3)
    assert old.endswith(f"`margins-course feedback {NAME}`, then export again")
    assert "cut off or damaged" in damaged
    assert stranger == "sums: gone has marks by hand and is not on the roster"
    assert stale == "sums: Ada Lovelace (ada): proof: the answer or its points changed after it was marked"
