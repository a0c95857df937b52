"""Collecting: nothing that came is lost, nobody gets another's work, and every archive comes to an end."""

import random
import shutil
import time

import pytest

from margins_course.assignments.settings import LateRule
from margins_course.collecting.collect import collect, kept_file
from margins_course.collecting.records import files_beside, read_records
from margins_course.folder import hash_of, read_table, write
from tests.margins_course.courses import (
    EARLY,
    LATE,
    NAME,
    answered,
    made_course,
    moodle,
    rows_by_id,
    settings_of,
    zipped,
)

NOON = (2026, 3, 1, 12, 10, 0)
ROSTER = ("ada,Ada Lovelace,,1000", "bob,Bob Lee,,1001", "cyd,Cyd Oz,,", "dan,Dan Yu,,1003")


# ---- the same state, however often and in what order
def three_zips(tmp_path):
    """Three downloads of a class: handed in anew, refused, refused anew, the first once more, nobody's."""
    later = (2026, 3, 1, 11, 0, 0)
    first = [
        (moodle("Ada Lovelace", 555), answered("a")),
        (moodle("Bob Lee", 556), "broken"),
        (moodle("Cyd Oz", 557), answered("c, first")),
        ("stranger_4_5_sums.ipynb", answered("s")),
    ]
    second = [
        (moodle("Ada Lovelace", 555, "other.ipynb"), answered("a, second"), NOON),
        (moodle("Cyd Oz", 557, "new.ipynb"), answered("c, second"), later),
        ("yudan_1003_9_x.ipynb", "no", later),
    ]
    third = [
        (moodle("Ada Lovelace", 555, "renamed.ipynb"), answered("a"), LATE),
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
        assert [collect(course, NAME, path).new for path in zips] == [0, 0, 0]
        ends.append({name.replace(str(course.root), ""): content for name, content in course.state().items()})
    assert all(end == ends[0] for end in ends)
    rows = read_table(course.report(f"{NAME}-collected.csv"))
    assert {row["id"]: (row["status"], row["seconds_late"]) for row in rows} == {
        "ada": ("accepted", "0"),
        "bob": ("refused", ""),
        "cyd": ("accepted", "0"),
        "dan": ("accepted", "0"),
        "": ("nobody's", ""),
    }
    assert course.placed("ada") == answered("a")
    row = course.came((moodle("Ada Lovelace", 555), answered("a, second"), (2026, 3, 3, 9, 0, 0))).rows[0]
    assert course.placed("ada") == answered("a, second")
    assert (row["status"], row["seconds_late"]) == ("late", "600"), "it first came at ten past noon"


def test_a_bad_second_file_does_not_replace_a_good_first_and_is_named(course):
    course.came(("ada.ipynb", answered("a")))
    row = course.came(("ada/b.ipynb", "broken", LATE)).rows[0]
    assert row["status"] == "accepted"
    assert "not JSON" in row["reason"]
    assert course.placed("ada") == answered("a")
    row = course.came(("ada/letter.pdf", "%PDF")).rows[0]
    assert "ada/letter.pdf: it is no notebook" in row["reason"]


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
    assert list(other.state().values()) == list(course.state().values())


def interrupted(*_):
    raise KeyboardInterrupt


# ---- whose file it is
def test_a_corrected_roster_moves_a_file_to_its_owner_and_away_from_another(course):
    for ada, dan, expected in [
        ("Dan Y Yu,,1003", "Dan Yu,,1", ["missing", "missing", "nobody's"]),
        ("Dan Yu,,1003", "Dan Yu,,1", ["accepted", "missing"]),
        ("Dan Yu,,1", "Dan Yu,,1003", ["missing", "accepted"]),
    ]:
        write(course.roster, f"id,name,email,lms_id\nada,{ada}\ndan,{dan}\n")
        rows = course.came(("yudan_1003_7_s.ipynb", answered("d"))).rows
        assert [row["status"] for row in rows] == expected
        if "accepted" in expected[:1]:
            course.marked("ada", {})
    assert not course.notebook("submitted", NAME, "ada").exists()
    assert course.placed("dan")


def test_a_zip_with_the_time_of_its_download_is_doubted_before_it_costs_anything(course):
    names = [moodle(name, 5 + n) for n, name in enumerate(("Ada Lovelace", "Bob Lee", "Cyd Oz"))]
    at_once = [(name, answered(name), (*LATE[:5], second)) for second, name in enumerate(names)]
    (note,) = course.came(*at_once).notes
    assert "all 3 files came within 60 seconds" in note
    spread = [(f"{name}x.ipynb", answered(f"{name}x"), (*LATE[:3], 20, n, 0)) for n, name in enumerate(names)]
    assert course.came(*spread).notes == []


@pytest.mark.full
def test_two_thousand_files_are_collected_in_seconds(tmp_path, monkeypatch):
    settings_of(monkeypatch, late=LateRule(0.1))
    course = made_course(tmp_path, [f"s{n},Student {n},,{n + 1000}" for n in range(500)])
    text, works = answered("WORK"), [(n, m) for n in range(500) for m in range(4)]
    members = [(f"s{n}/sums{m}.ipynb", text.replace("WORK", f"{n} {m}")) for n, m in works]
    began = time.process_time()
    assert [course.came(*members).new for _ in range(2)] == [2000, 0]
    assert time.process_time() - began < 20


def test_a_pdf_beside_a_notebook_is_kept_and_changes_nothing_of_it(course):
    members = [
        (moodle("Ada Lovelace", 555), answered("a")),
        (moodle("Ada Lovelace", 555, "Proof.PDF"), "%PDF"),
        (moodle("Bob Lee", 556, "photo.jpg"), "JFIF"),
        (moodle("Cyd Oz", 557, "notes.docx"), "PK"),
    ]
    rows = rows_by_id(course.came(*members))
    status = [rows[student]["status"] for student in ("ada", "bob", "cyd")]
    assert status == ["accepted", "refused", "refused"]
    assert "the review page has a link to it" in rows["bob"]["reason"]
    kept = {path.read_bytes() for path in (course.deliveries(NAME) / "beside").iterdir()}
    assert kept == {b"%PDF", b"JFIF"}
    beside = files_beside(course, NAME, read_records(course, NAME))
    names = {who: [file.own_name for file in files] for who, files in beside.items()}
    assert names == {"ada": ["Proof.PDF"], "bob": ["photo.jpg"]}


# ---- which file counts, and since when
def test_an_emptied_file_is_mended_by_collecting_again_and_stops_nobody(course):
    both = [("ada.ipynb", answered("a")), ("bob.ipynb", answered("b"))]
    course.came(*both)
    placed_file = course.notebook("submitted", NAME, "ada")
    kept = kept_file(course, NAME, hash_of(placed_file))
    for emptied in ([placed_file], [kept], [kept, placed_file]):
        for file in emptied:
            file.write_bytes(b"")
        notes = course.came(("bob.ipynb", answered("b, again"), LATE)).notes
        lost = kept in emptied and placed_file in emptied
        assert [str(kept) in note and "ada.ipynb" in note for note in notes] == [True] * lost
        assert course.placed("bob") == answered("b, again")
        assert course.came(*both).notes == []
        assert (course.placed("ada"), kept.read_text("utf-8")) == (answered("a"), answered("a"))


@pytest.mark.parametrize("as_folder", [False, True])
def test_folders_around_all_files_are_left_out(course, tmp_path, as_folder):
    inside = [(moodle("Ada Lovelace", 5), answered("a"), EARLY), ("bob/b.ipynb", answered("b"), EARLY)]
    members = [(f"homework 1/all/{name}", text, when) for name, text, when in inside]
    path = zipped(tmp_path / "a.zip", [*members, ("__MACOSX/homework 1/._b", "x", EARLY)])
    if as_folder:
        shutil.unpack_archive(path, tmp_path / "unpacked")
        path = tmp_path / "unpacked"
    rows = rows_by_id(collect(course, NAME, path))
    assert [rows[who]["file"] for who in ("ada", "bob")] == [name for name, _, _ in inside]


def test_a_folder_of_one_student_is_none_around_a_class(course):
    for name, when in (("ada/ada.ipynb", EARLY), (moodle("Ada Lovelace", 5), LATE)):
        assert course.came((name, answered(name), when)).rows[0]["file"] == name
        assert course.placed("ada") == answered(name)
