"""Collecting: nothing that came is lost, nobody gets another's work, and every archive comes to an end."""

import random
import time

import pytest

from margins_course.assignments.settings import LateRule
from margins_course.collecting.collect import collect
from margins_course.collecting.records import files_beside, read_records
from margins_course.folder import read_table, write
from margins_course.grading.totals import totals
from tests.margins_course.courses import (
    LATE,
    NAME,
    answered,
    came,
    lines_of,
    made_course,
    marked,
    moodle,
    placed,
    rows_by_id,
    settings_of,
    state,
    zipped,
)

ROSTER = ("ada,Ada Lovelace,,1000", "bob,Bob Lee,,1001", "cyd,Cyd Oz,,", "dan,Dan Yu,,1003")


# ---- the same state, however often and in what order
def three_zips(tmp_path):
    """Three downloads of a class: late, refused, handed in anew, refused anew, nobody's."""
    later = (2026, 3, 1, 11, 0, 0)
    first = [
        (moodle("Ada Lovelace", 555), answered("a"), LATE),
        (moodle("Bob Lee", 556), "broken"),
        (moodle("Cyd Oz", 557), answered("c, first")),
        ("stranger_4_5_sums.ipynb", answered("s")),
    ]
    second = [
        (moodle("Cyd Oz", 557, "new.ipynb"), answered("c, second"), later),
        ("yudan_1003_9_x.ipynb", "no", later),
    ]
    third = [
        (moodle("Cyd Oz", 557, "newer.ipynb"), "broken", LATE),
        ("yudan_1003_10_x.ipynb", answered("d")),
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
    rows = read_table(course.report(f"{NAME}-collected.csv"))
    assert {row["id"]: (row["status"], row["seconds_late"]) for row in rows} == {
        "ada": ("late", "1860"),
        "bob": ("refused", ""),
        "cyd": ("accepted", "0"),
        "dan": ("accepted", "0"),
        "": ("nobody's", ""),
    }


def test_collecting_the_same_again_adds_no_line_and_loses_no_lateness(course):
    members = [(moodle("Ada Lovelace", 5), answered("a"), LATE), ("bob/b.ipynb", "no")]
    first = came(course, *members)
    records = course.deliveries(NAME) / "records.jsonl"
    before = records.read_bytes()
    again = came(course, *members)
    assert (first.new, again.new) == (2, 0)
    assert records.read_bytes() == before
    assert first.rows == again.rows
    assert rows_by_id(again)["ada"]["seconds_late"] == "1860"
    assert "not JSON" in rows_by_id(again)["bob"]["reason"]


def test_the_earliest_time_of_a_content_counts(course):
    name, content = moodle("Ada Lovelace", 5), answered("a")
    came(course, (name, content, LATE))
    row = came(course, (name, content)).rows[0]
    assert (row["status"], row["seconds_late"]) == ("accepted", "0")
    assert came(course, (name, content, LATE)).new == 0
    assert len(lines_of(course.deliveries(NAME) / "records.jsonl")) == 2
    other = moodle("Ada Lovelace", 5, "x.ipynb"), content, LATE
    assert came(course, other).rows[0]["status"] == "accepted"


def test_a_bad_second_file_does_not_replace_a_good_first_and_is_named(course):
    came(course, ("ada.ipynb", answered("a")))
    row = came(course, ("ada/b.ipynb", "broken", LATE)).rows[0]
    assert row["status"] == "accepted"
    assert "not JSON" in row["reason"]
    assert placed(course, "ada") == answered("a")
    row = came(course, ("ada/letter.pdf", "%PDF")).rows[0]
    assert "ada/letter.pdf: it is no notebook" in row["reason"]


def test_the_result_of_an_older_file_does_not_count_when_a_newer_one_does(course):
    came(course, ("ada.ipynb", answered("a")))
    marked(course, "ada", {"twice--check-1": 2.0})
    came(course, ("ada.ipynb", answered("a")))
    assert totals(course, NAME)[0].result
    came(course, ("ada.ipynb", answered("new"), LATE))
    assert not totals(course, NAME)[0].result
    assert "another file counts" in totals(course, NAME)[0].reason


def test_a_crash_between_the_steps_is_mended_by_collecting_again(course, tmp_path, monkeypatch):
    path = zipped(tmp_path / "all.zip", [("ada.ipynb", answered("a"), LATE), ("bob.ipynb", answered("b"))])
    for place in ("records.append_to_journal", "collect.write_submissions", "collect.write_table"):
        with monkeypatch.context() as crash:
            crash.setattr(f"margins_course.collecting.{place}", interrupted)
            with pytest.raises(KeyboardInterrupt):
                collect(course, NAME, path)
    interrupted_state = collect(course, NAME, path)
    other = made_course(tmp_path / "other", ROSTER)
    assert collect(other, NAME, path).rows == interrupted_state.rows
    assert list(state(other).values()) == list(state(course).values())


def interrupted(*_):
    raise KeyboardInterrupt


# ---- whose file it is
def test_a_contradiction_is_refused_with_both_named_and_kept_from_both(course):
    collected = came(course, (moodle("Ada Lovelace", 1001), answered("a")))
    assert {row["id"]: row["status"] for row in collected.rows} == dict.fromkeys(
        ("ada", "bob", "cyd", "dan"), "missing"
    ) | {"": "nobody's"}
    assert "that of Bob Lee (bob), the name that of Ada Lovelace (ada)" in collected.rows[-1]["reason"]
    assert not list(course.root.glob("submitted/*/*/*"))


def test_a_corrected_roster_moves_a_file_to_its_owner_and_away_from_another(course):
    for ada, dan, expected in [
        ("Dan Y Yu,,1003", "Dan Yu,,1", ["missing", "missing", "nobody's"]),
        ("Dan Yu,,1003", "Dan Yu,,1", ["accepted", "missing"]),
        ("Dan Yu,,1", "Dan Yu,,1003", ["missing", "accepted"]),
    ]:
        write(course.roster, f"id,name,email,lms_id\nada,{ada}\ndan,{dan}\n")
        rows = came(course, ("yudan_1003_7_s.ipynb", answered("d"))).rows
        assert [row["status"] for row in rows] == expected
        if "accepted" in expected[:1]:
            marked(course, "ada", {})
    assert not course.notebook("submitted", NAME, "ada").exists()
    assert placed(course, "dan")


def test_a_zip_with_the_time_of_its_download_is_doubted_before_it_costs_anything(course):
    names = [moodle(name, 5 + n) for n, name in enumerate(("Ada Lovelace", "Bob Lee", "Cyd Oz"))]
    at_once = [(name, answered(name), (*LATE[:5], second)) for second, name in enumerate(names)]
    (note,) = came(course, *at_once).notes
    assert "all 3 files came within 60 seconds" in note
    spread = [(f"{name}x.ipynb", answered(f"{name}x"), (*LATE[:3], 20, n, 0)) for n, name in enumerate(names)]
    assert came(course, *spread).notes == []


@pytest.mark.full
def test_two_thousand_files_are_collected_in_seconds(tmp_path, monkeypatch):
    settings_of(monkeypatch, late=LateRule(0.1))
    course = made_course(tmp_path, [f"s{n},Student {n},,{n + 1000}" for n in range(500)])
    text, works = answered("WORK"), [(n, m) for n in range(500) for m in range(4)]
    members = [(f"s{n}/sums{m}.ipynb", text.replace("WORK", f"{n} {m}")) for n, m in works]
    began = time.process_time()
    assert [came(course, *members).new for _ in range(2)] == [2000, 0]
    assert time.process_time() - began < 20


def test_a_pdf_beside_a_notebook_is_kept_and_changes_nothing_of_it(course):
    members = [
        (moodle("Ada Lovelace", 555), answered("a")),
        (moodle("Ada Lovelace", 555, "Proof.PDF"), "%PDF"),
        (moodle("Bob Lee", 556, "photo.jpg"), "JFIF"),
        (moodle("Cyd Oz", 557, "notes.docx"), "PK"),
    ]
    rows = rows_by_id(came(course, *members))
    status = [rows[student]["status"] for student in ("ada", "bob", "cyd")]
    assert status == ["accepted", "refused", "refused"]
    assert "the review page has a link to it" in rows["bob"]["reason"]
    kept = {path.read_bytes() for path in (course.deliveries(NAME) / "beside").iterdir()}
    assert kept == {b"%PDF", b"JFIF"}
    beside = files_beside(course, NAME, read_records(course, NAME))
    names = {who: [file.own_name for file in files] for who, files in beside.items()}
    assert names == {"ada": ["Proof.PDF"], "bob": ["photo.jpg"]}
