"""Which file counts and since when; what a power cut left is mended; a folder around a zip costs nobody."""

import itertools
import shutil

import pytest

from margins_course.collecting.collect import collect, kept_file
from margins_course.folder import hash_of
from tests.margins_course.courses import (
    EARLY,
    LATE,
    NAME,
    answered,
    came,
    moodle,
    placed,
    rows_by_id,
    zipped,
)

NOON, EVENING = (2026, 3, 1, 12, 10, 0), (2026, 3, 1, 20, 0, 0)


def test_a_b_a_counts_a_and_since_it_first_came_in_whatever_order_zips_are_collected(course, tmp_path):
    name = moodle("Ada Lovelace", 5)
    three = [("a", EARLY), ("b", NOON), ("a", EVENING)]
    zips = [zipped(tmp_path / f"{n}.zip", [(name, answered(t), w)]) for n, (t, w) in enumerate(three)]
    for turn, order in enumerate(itertools.permutations(zips)):
        shutil.rmtree(course.deliveries(NAME), ignore_errors=True)
        for path in (*order, *order):
            row = collect(course, NAME, path).rows[0]
        assert placed(course, "ada") == answered("a"), turn
        assert (row["status"], row["seconds_late"]) == ("accepted", "0"), turn
    row = came(course, (name, answered("b"), (2026, 3, 3, 9, 0, 0))).rows[0]
    assert placed(course, "ada") == answered("b")
    assert (row["status"], row["seconds_late"]) == ("late", "600"), "b first came at ten past noon"


def test_an_emptied_file_is_mended_by_collecting_again_and_stops_nobody(course):
    both = [("ada.ipynb", answered("a")), ("bob.ipynb", answered("b"))]
    came(course, *both)
    placed_file = course.notebook("submitted", NAME, "ada")
    kept = kept_file(course, NAME, hash_of(placed_file))
    for emptied in ([placed_file], [kept], [kept, placed_file]):
        for file in emptied:
            file.write_bytes(b"")
        notes = came(course, ("bob.ipynb", answered("b, again"), LATE)).notes
        lost = kept in emptied and placed_file in emptied
        assert [str(kept) in note and "ada.ipynb" in note for note in notes] == [True] * lost
        assert placed(course, "bob") == answered("b, again")
        assert came(course, *both).notes == []
        assert (placed(course, "ada"), kept.read_text("utf-8")) == (answered("a"), answered("a"))


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
        assert came(course, (name, answered(name), when)).rows[0]["file"] == name
        assert placed(course, "ada") == answered(name)


def test_a_name_of_a_thousand_folders_ends_in_a_row(course):
    assert came(course, ("x/" * 5000 + "ada.ipynb", answered("a"))).rows[-1]["status"] == "nobody's"
