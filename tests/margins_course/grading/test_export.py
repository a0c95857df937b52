"""Export: blanks with reasons, tables that each LMS imports, bundles that it takes."""

import re
import zipfile
from dataclasses import replace

import pytest

from margins_course.collecting.roster import Student
from margins_course.folder import read_table, write
from margins_course.grading import export as module
from margins_course.grading.export import canvas_member, export, moodle_member, notices
from margins_course.grading.results import HandMark, append_hand_mark
from margins_course.grading.totals import totals
from tests.margins_course.courses import ALL, NAME, SHEET, TEXTS, answered, made_course, settings_of

ROSTER = (
    "ada,Ada Lovelace,ada@example.org,1000",
    "bob,=Bob Lee,bob@example.org,1001",
    "cyd,Cyd Oz,,1002",
    "dan,Dan Yu,,1003",
    "eve,Eve Poe,,1004",
)


FILES = {
    "ada": "Ada Lovelace_555_assignsubmission_file/sums.ipynb",
    "bob": "leebob_LATE_1001_78_..%2f..%2fevil<script>.ipynb",
    "cyd": "ozcyd_1002_79_x.ipynb",
    "dan": "Dan Yu_558_assignsubmission_file_/n.ipynb",
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Ada fully marked, Bob earned 0, Cyd waits for a person, Dan's file is broken, nothing came of Eve."""
    settings_of(monkeypatch)
    course = made_course(tmp_path, ROSTER)
    course.came(*((name, "broken" if who == "dan" else answered(who)) for who, name in FILES.items()))
    course.marked("ada", ALL, TEXTS)
    course.give("ada", "proof", (1.0, 2.25))
    course.give("ada", "both", (4.0,))
    course.marked("bob", {})
    course.marked("cyd", ALL, TEXTS)
    for total in totals(course, NAME):
        if (who := total.student.id) in ("ada", "bob", "cyd"):
            write(course.feedback(NAME, who), f"<p>{who}</p>{total.digest}")
    return course


def table(course, name):
    return read_table(course.report(f"{name}.csv"))


def test_own_table_tells_score_status_reason_and_points_of_each_exercise(course):
    export(course)
    rows = {row["id"]: row for row in table(course, "marks")}
    for who, points in {"ada": ["5", "3.25", "5"], "cyd": ["5", "", ""], "eve": ["", "", ""]}.items():
        assert [rows[who][f"{NAME}: {label}"] for label in ("twice", "proof", "both")] == points
    status = {who: row[f"{NAME} status"] for who, row in rows.items()}
    waiting = "accepted: proof: not marked yet; both: not marked yet"
    assert [status[who] for who in ("ada", "cyd", "eve")] == ["accepted", waiting, "missing"]
    assert status["dan"].startswith(f"refused: {FILES['dan']}: the file is not a notebook")
    assert rows["bob"]["name"] == "'=Bob Lee"
    total = totals(course, NAME)[0]
    late = replace(total, standing=replace(total.standing, status="late"), reason="came 1 day late")
    assert module.status(late) == "late: came 1 day late"


def test_each_system_gets_its_columns_and_its_sign_for_no_score(course):
    export(course)
    scores = ["13.25", "0", "", "", ""]
    own, moodle, (worth, *canvas) = (table(course, f"marks{kind}") for kind in ("", "-moodle", "-canvas"))
    assert [row[NAME] for row in own] == [row[NAME] for row in canvas] == scores
    assert [(row["total"], row["blank"]) for row in own[:3]] == [("13.25", "0"), ("0", "0"), ("0", "1")]
    assert list(moodle[0]) == ["ID number", "Full name", "Email address", NAME]
    assert [row[NAME] for row in moodle] == [score or "-" for score in scores]
    assert list(worth) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME]
    assert (worth["Student"], worth["ID"], worth[NAME]) == ("Points Possible", "", "15")
    assert [row["ID"] for row in canvas] == ["1000", "1001", "1002", "1003", "1004"]


def test_several_assignments_are_summed_and_blanks_counted(course, monkeypatch):
    first, other = totals(course, NAME), totals(course, NAME)[::-1]
    changed = [replace(total, score=score.score) for total, score in zip(first, other, strict=True)]
    monkeypatch.setattr(module, "totals", lambda course, name: first if name == NAME else changed)
    monkeypatch.setattr(module, "write_bundles", lambda *_: [])
    export(course, [NAME, "more"])
    summed = [(row["total"], row["blank"]) for row in table(course, "marks")]
    assert summed == [("13.25", "1"), ("0", "1"), ("0", "2"), ("0", "1"), ("13.25", "1")]


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


def test_a_page_of_work_that_no_longer_counts_is_in_no_bundle(course):
    newer = "Ada Lovelace_555_assignsubmission_file/new.ipynb"
    course.came((newer, answered("new"), (2026, 3, 1, 10, 0, 0)))
    assert [path.name for path in export(course)[3:]] == ["sums-feedback-canvas.zip"]


HOSTILE = ["../../x", "a/b", "x_1000_5_y", "Bob_999_assignsubmission", "..", ".hidden", "\u202eda", "123"]
HOSTILE += ["'; rm", "\u674e"]


@pytest.mark.parametrize("name", HOSTILE)
def test_what_goes_into_a_bundle_is_built_from_the_roster_and_numbers(name):
    """Moodle reads the first part between slashes, Canvas the first two numbers between underscores."""
    student = Student("ada", name, lms_id="1000")
    path = moodle_member(f"{name.replace('_', ' ')}_555_assignsubmission_file_x_1_2_y.ipynb", student, NAME)
    assert re.fullmatch(r"[^/_]+_555_assignsubmission_file_/sums\.html", path)
    assert canvas_member("whatever_LATE_1000_78_../../../etc_5_6_passwd.ipynb", student, NAME) == ""
    path = canvas_member("whatever_LATE_1000_78_.._5_6_passwd.ipynb", student, NAME)
    assert re.fullmatch(r"[^/_0-9]+_LATE_1000_78_sums\.html", path)


@pytest.mark.parametrize(
    "file",
    ["", "ada.ipynb", "ada/x_1000_5_y.ipynb", "x_1001_5_y.ipynb", "Ada_5_assignsubmission_onlinetext/t"],
)
def test_files_that_came_from_no_lms_are_in_no_bundle(file):
    student = Student("ada", "Ada", lms_id="1000")
    assert (moodle_member(file, student, NAME), canvas_member(file, student, NAME)) == ("", "")


# ---- what to look at
def test_stale_marks_strangers_and_damaged_lines_are_noticed(course):
    waiting = f"{NAME}: {{}} answers to mark: `margins-course review {NAME}`"
    assert notices(course) == [waiting.format(2)]
    course.marked("ada", ALL, TEXTS | {"proof": "Another."})
    append_hand_mark(course, NAME, HandMark("gone", "twice", "", None), SHEET)
    with course.hand_marks(NAME).open("ab") as file:
        file.write(b'{"cut')
    damaged, stranger, stale, waits, old = notices(course)
    assert waits == waiting.format(3)
    assert old.endswith(f"`margins-course feedback {NAME}`, then export again")
    assert "cut off or damaged" in damaged
    assert stranger == "sums: gone has marks by hand and is not on the roster"
    assert stale == "sums: Ada Lovelace (ada): proof: the answer or its points changed after it was marked"
