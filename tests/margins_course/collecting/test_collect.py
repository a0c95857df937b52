"""Collecting: nothing that came is lost, nobody gets another's work, and every archive comes to an end."""

import random
import time

import pytest

from margins_course.assignments.settings import LateRule
from margins_course.collecting.collect import collect
from margins_course.collecting.records import files_beside, read_records
from margins_course.collecting.roster import Student
from margins_course.grading.totals import totals
from tests.margins_course.courses import (
    NAME,
    answered,
    lines_of,
    made_course,
    marked,
    settings_of,
    state,
    zipped,
)

ROSTER = ("ada,Ada Lovelace,,1000", "bob,Bob Lee,,1001", "cyd,Cyd Oz,,", "dan,Dan Yu,,1003")


EARLY, LATE = (2026, 3, 1, 9, 0, 0), (2026, 3, 1, 12, 31, 0)  # half an hour and a minute after the due time


def rows_by_id(collected):
    return {row["id"]: row for row in collected.rows if row["id"]}


def moodle(name, number, file="sums.ipynb"):
    return f"{name}_{number}_assignsubmission_file/{file}"


# ---- the same state, however often and in what order
def three_zips(tmp_path):
    """Three downloads of a class: late, refused, handed in anew, refused anew, nobody's."""
    first = [
        (moodle("Ada Lovelace", 555), answered("a"), LATE),
        (moodle("Bob Lee", 556), "broken", EARLY),
        (moodle("Cyd Oz", 557), answered("c, first"), EARLY),
        ("stranger_4_5_sums.ipynb", answered("s"), EARLY),
    ]
    later = (2026, 3, 1, 11, 0, 0)
    second = [
        (moodle("Cyd Oz", 557, "new.ipynb"), answered("c, second"), later),
        ("yudan_1003_9_x.ipynb", "no", later),
    ]
    third = [
        (moodle("Cyd Oz", 557, "newer.ipynb"), "broken", LATE),
        ("yudan_1003_10_x.ipynb", answered("d"), EARLY),
    ]
    zips = [first, [*first, *second], [*second, *third]]
    return [zipped(tmp_path / f"{number}.zip", members) for number, members in enumerate(zips)]


def test_collecting_in_any_order_and_any_number_of_times_ends_in_the_same_state(tmp_path, monkeypatch):
    settings_of(monkeypatch)
    zips, ends, shuffled = three_zips(tmp_path), [], random.Random(20261001)
    for turn in range(8):
        order = zips * 2
        shuffled.shuffle(order)
        course = made_course(tmp_path / str(turn), ROSTER)
        for path in order:
            collect(course, NAME, path)
        ends.append({name.replace(str(course.root), ""): content for name, content in state(course).items()})
    assert all(end == ends[0] for end in ends)
    (table,) = [
        content.decode("utf-8-sig") for name, content in ends[0].items() if name.endswith("-collected.csv")
    ]
    status = {line.split(",")[0]: line.split(",")[2:4] for line in table.splitlines()[1:]}
    assert status["ada"] == ["late", "1860"]
    assert status["bob"] == ["refused", ""]
    assert status["cyd"] == ["accepted", "0"]
    assert status["dan"] == ["accepted", "0"]
    assert status[""] == ["nobody's", ""]


def test_collecting_the_same_again_adds_no_line_and_loses_no_lateness(course, tmp_path):
    path = zipped(
        tmp_path / "all.zip", [(moodle("Ada Lovelace", 5), answered("a"), LATE), ("bob/b.ipynb", "no", EARLY)]
    )
    first = collect(course, NAME, path)
    records = course.deliveries(NAME) / "records.jsonl"
    before = records.read_bytes()
    again = collect(course, NAME, path)
    assert (first.new, again.new) == (2, 0)
    assert records.read_bytes() == before
    assert first.rows == again.rows
    assert rows_by_id(again)["ada"]["seconds_late"] == "1860"
    assert "not JSON" in rows_by_id(again)["bob"]["reason"]


def test_the_earliest_time_of_a_content_counts(course, tmp_path):
    name, content = moodle("Ada Lovelace", 5), answered("a")
    collect(course, NAME, zipped(tmp_path / "2.zip", [(name, content, LATE)]))
    rows = collect(course, NAME, zipped(tmp_path / "1.zip", [(name, content, EARLY)])).rows
    assert (rows[0]["status"], rows[0]["seconds_late"]) == ("accepted", "0")
    assert collect(course, NAME, tmp_path / "2.zip").new == 0
    assert len(lines_of(course.deliveries(NAME) / "records.jsonl")) == 2
    rows = collect(
        course, NAME, zipped(tmp_path / "3.zip", [(moodle("Ada Lovelace", 5, "x.ipynb"), content, LATE)])
    ).rows
    assert rows[0]["status"] == "accepted"


def test_a_bad_second_file_does_not_replace_a_good_first_and_is_named(course, tmp_path):
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), EARLY)]))
    row = collect(course, NAME, zipped(tmp_path / "2.zip", [("ada/b.ipynb", "broken", LATE)])).rows[0]
    assert row["status"] == "accepted"
    assert "not JSON" in row["reason"]
    assert course.notebook("submitted", NAME, "ada").read_text(encoding="utf-8") == answered("a")
    row = collect(course, NAME, zipped(tmp_path / "3.zip", [("ada/letter.pdf", "%PDF", EARLY)])).rows[0]
    assert "ada/letter.pdf: it is no notebook" in row["reason"]


def test_the_result_of_an_older_file_does_not_count_when_a_newer_one_does(course, tmp_path):
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), EARLY)]))
    marked(course, "ada", {"twice--check-1": 2.0})
    collect(course, NAME, zipped(tmp_path / "1.zip", [("ada.ipynb", answered("a"), EARLY)]))
    assert totals(course, NAME)[0].result
    collect(course, NAME, zipped(tmp_path / "2.zip", [("ada.ipynb", answered("new"), LATE)]))
    assert not totals(course, NAME)[0].result
    assert "another file counts" in totals(course, NAME)[0].reason


def test_a_crash_between_the_steps_is_mended_by_collecting_again(course, tmp_path, monkeypatch):
    path = zipped(
        tmp_path / "all.zip", [("ada.ipynb", answered("a"), LATE), ("bob.ipynb", answered("b"), EARLY)]
    )
    for module, function in (
        ("records", "append_to_journal"),
        ("collect", "write_submissions"),
        ("collect", "write_table"),
    ):
        with monkeypatch.context() as crash:
            crash.setattr(f"margins_course.collecting.{module}.{function}", interrupted)
            with pytest.raises(KeyboardInterrupt):
                collect(course, NAME, path)
    interrupted_state = collect(course, NAME, path)
    other = made_course(tmp_path / "other", ROSTER)
    assert collect(other, NAME, path).rows == interrupted_state.rows
    assert list(state(other).values()) == list(state(course).values())


def interrupted(*_):
    raise KeyboardInterrupt


# ---- whose file it is
STUDENTS = [
    Student("ada", "Ada Lee", lms_id="1000"),
    Student("bob", "George Boole", lms_id="1001"),
    Student("eve", "Zo\xeb O'Neil-Smith", lms_id="1002"),
    Student("sam1", "Sam Poe", lms_id="1003"),
    Student("sam2", "Sam Poe", lms_id="1004"),
    Student("new", "Kim Un"),
]


def test_a_contradiction_is_refused_with_both_named_and_kept_from_both(course, tmp_path):
    path = zipped(tmp_path / "all.zip", [(moodle("Ada Lovelace", 1001), answered("a"), EARLY)])
    collected = collect(course, NAME, path)
    assert {row["id"]: row["status"] for row in collected.rows} == {
        "ada": "missing",
        "bob": "missing",
        "cyd": "missing",
        "dan": "missing",
        "": "nobody's",
    }
    assert "that of Bob Lee (bob), the name that of Ada Lovelace (ada)" in collected.rows[-1]["reason"]
    assert not list(course.root.glob("submitted/*/*/*"))


def test_a_corrected_roster_moves_a_file_to_its_owner_and_away_from_another(course, tmp_path):
    path = zipped(tmp_path / "all.zip", [("yudan_1003_7_s.ipynb", answered("d"), EARLY)])
    course.roster.write_text("id,name,email,lms_id\nada,Dan Y Yu,,1003\ndan,Dan Yu,,1\n", encoding="utf-8")
    nobody = collect(course, NAME, path)
    assert [row["status"] for row in nobody.rows] == ["missing", "missing", "nobody's"]
    course.roster.write_text("id,name,email,lms_id\nada,Dan Yu,,1003\ndan,Dan Yu,,1\n", encoding="utf-8")
    assert [row["status"] for row in collect(course, NAME, path).rows] == ["accepted", "missing"]
    marked(course, "ada", {})
    course.roster.write_text("id,name,email,lms_id\nada,Dan Yu,,1\ndan,Dan Yu,,1003\n", encoding="utf-8")
    assert [row["status"] for row in collect(course, NAME, path).rows] == ["missing", "accepted"]
    assert not course.notebook("submitted", NAME, "ada").exists()
    assert course.notebook("submitted", NAME, "dan").exists()


def test_a_zip_with_the_time_of_its_download_is_doubted_before_it_costs_anything(course, tmp_path):
    names = [moodle(name, 5 + n) for n, name in enumerate(("Ada Lovelace", "Bob Lee", "Cyd Oz"))]
    at_once = [(name, answered(name), (*LATE[:5], second)) for second, name in enumerate(names)]
    (note,) = collect(course, NAME, zipped(tmp_path / "a.zip", at_once)).notes
    assert "all 3 files came within 60 seconds" in note
    spread = [(f"{name}x.ipynb", answered(f"{name}x"), (*LATE[:3], 20, n, 0)) for n, name in enumerate(names)]
    assert collect(course, NAME, zipped(tmp_path / "b.zip", spread)).notes == []


@pytest.mark.full
def test_two_thousand_files_are_collected_in_seconds(tmp_path, monkeypatch):
    settings_of(monkeypatch, late=LateRule(0.1))
    course = made_course(tmp_path, [f"s{n},Student {n},,{n + 1000}" for n in range(500)])
    text = answered("WORK")
    members = [
        (f"s{n}/sums{m}.ipynb", text.replace("WORK", f"{n} {m}"), EARLY) for n in range(500) for m in range(4)
    ]
    path = zipped(tmp_path / "all.zip", members)
    began = time.process_time()
    collected = collect(course, NAME, path)
    assert collect(course, NAME, path).new == 0
    assert time.process_time() - began < 20
    assert collected.new == 2000


def test_a_pdf_beside_a_notebook_is_kept_and_changes_nothing_of_it(tmp_path, monkeypatch):
    settings_of(monkeypatch)
    course = made_course(tmp_path / "course", ROSTER)
    members = [
        (moodle("Ada Lovelace", 555), answered("a"), EARLY),
        (moodle("Ada Lovelace", 555, "Proof.PDF"), "%PDF", EARLY),
        (moodle("Bob Lee", 556, "photo.jpg"), "JFIF", EARLY),
        (moodle("Cyd Oz", 557, "notes.docx"), "PK", EARLY),
    ]
    rows = rows_by_id(collect(course, NAME, zipped(tmp_path / "one.zip", members)))
    assert {student: rows[student]["status"] for student in ("ada", "bob", "cyd")} == {
        "ada": "accepted",
        "bob": "refused",
        "cyd": "refused",
    }
    assert "the review page has a link to it" in rows["bob"]["reason"]
    kept = {path.read_bytes() for path in (course.deliveries(NAME) / "beside").iterdir()}
    assert kept == {b"%PDF", b"JFIF"}
    beside = files_beside(course, NAME, read_records(course, NAME))
    names = {who: [file.own_name for file in files] for who, files in beside.items()}
    assert names == {"ada": ["Proof.PDF"], "bob": ["photo.jpg"]}
