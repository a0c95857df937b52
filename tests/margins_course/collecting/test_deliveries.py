"""Deliveries: every archive and folder comes to an end, and no name or size in it is trusted."""

import contextlib
import os
import random
import zipfile
from datetime import UTC, datetime

import pytest

from margins_course import CourseProblem
from margins_course.collecting import deliveries as reading
from margins_course.collecting.collect import collect
from margins_course.collecting.records import read_records
from margins_course.folder import write
from tests.margins_course.courses import EARLY, LATE, NAME, ZONE, answered, rows_by_id, zipped


def test_times_in_a_zip_are_of_the_assignments_zone_and_those_of_files_are_moments(course, tmp_path):
    """The hour that comes twice is read in the student's favour."""
    moment, file = datetime(2026, 7, 1, 10, 0, tzinfo=UTC), tmp_path / "in" / "bob.ipynb"
    write(file, answered("b"))
    os.utime(file, (moment.timestamp(),) * 2)
    twice = ("cyd.ipynb", answered("c"), (2026, 10, 25, 2, 30, 0))
    course.came(("ada.ipynb", answered("a"), (2026, 7, 1, 12, 0, 0)), twice)
    collect(course, NAME, file.parent)
    times = {record.student: record.time.astimezone(UTC) for record in read_records(course, NAME)}
    assert times == {"ada": moment, "bob": moment, "cyd": datetime(2026, 10, 25, 0, 30, tzinfo=UTC)}


# ---- hostile and damaged files
def test_a_zip_bomb_and_a_link_in_a_zip_are_refused(course, tmp_path):
    path = zipped(tmp_path / "all.zip", [("ada/sums.ipynb", bytes(50_000_000), EARLY)])
    with zipfile.ZipFile(path, "a") as file:
        link = zipfile.ZipInfo("bob/sums.ipynb")
        link.external_attr = 0o120777 << 16
        file.writestr(link, "/etc/hostname")
        file.writestr(zipfile.ZipInfo("cyd/sums.ipynb"), answered("c"), zipfile.ZIP_BZIP2)
        file.writestr("../dan/sums.ipynb", answered("d"))
    assert path.stat().st_size < 100_000
    rows = collect(course, NAME, path).rows
    reasons = {row["id"]: row["reason"] for row in rows}
    assert "50000000 bytes; at most" in reasons["ada"]
    assert "symbolic link" in reasons["bob"]
    assert "packed by method 12" in reasons["cyd"]
    assert "leads out of the archive" in reasons[""]
    assert not (tmp_path / "dan").exists()


def test_damaged_members_and_archives_are_told_apart(course, tmp_path):
    path = zipped(tmp_path / "all.zip", [("ada/a.ipynb", answered("a")), ("bob/b.ipynb", answered("b"))])
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"ada/a.ipynb") + len("ada/a.ipynb")] |= 0b110  # a kind of block that is none
    path.write_bytes(damaged)
    rows = rows_by_id(collect(course, NAME, path))
    assert "cannot be unpacked" in rows["ada"]["reason"]
    assert rows["bob"]["status"] == "accepted"
    listing = damaged.rindex(b"PK\x01\x02")
    for content in (damaged[:listing] + b"PKxx" + damaged[listing + 4 :], damaged[:-40]):  # or cut off
        path.write_bytes(content)
        with pytest.raises(CourseProblem, match=r"no zip, or a damaged one .*download it again"):
            collect(course, NAME, path)
    path.unlink()
    with pytest.raises(CourseProblem, match=r"all\.zip is not there"):
        collect(course, NAME, path)


def test_a_zip_damaged_anywhere_ends_in_a_reason_and_never_in_another_error(course, tmp_path):
    whole = zipped(tmp_path / "all.zip", [("ada/a.ipynb", answered("a"), EARLY)]).read_bytes()
    chosen = random.Random(7)
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chosen.randint(1, 8)):
            damaged[chosen.randrange(len(damaged))] = chosen.randrange(256)
        (tmp_path / "damaged.zip").write_bytes(
            damaged[: chosen.choice([len(damaged), chosen.randrange(len(damaged))])]
        )
        with contextlib.suppress(CourseProblem):
            for file in reading.deliveries(tmp_path / "damaged.zip", ZONE):
                assert len(file.content) <= reading.LARGEST


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        ("MOST_FILES", 1, "holds 2 files .* at most 1 files"),
        ("MOST_BYTES", 10, "at most 50000 files and 10 bytes"),
        ("MOST_SECONDS", -1.0, "took longer than -1 s; nothing was recorded"),
    ],
)
def test_every_limit_names_itself_for_zips_and_folders(course, tmp_path, monkeypatch, limit, value, said):
    members = [(f"{who}.ipynb", answered(who)) for who in ("ada", "bob")]
    for name, text in members:
        write(tmp_path / "in" / name, text)
    monkeypatch.setattr(reading, limit, value)
    for where in (tmp_path / "in", zipped(tmp_path / "a.zip", members)):
        with pytest.raises(CourseProblem, match=said):
            collect(course, NAME, where)
    assert not course.records.exists()


def test_copies_that_jupyter_and_macos_make_never_count(course, tmp_path):
    folder = tmp_path / "in" / "ada"
    write(folder / ".ipynb_checkpoints" / "sums-checkpoint.ipynb", answered("copy"))
    write(folder / "sums.ipynb", answered("real"))
    os.utime(folder / "sums.ipynb", (1e9, 1e9))
    collect(course, NAME, tmp_path / "in")
    assert course.placed("ada") == answered("real")
    copies = ("bob/.ipynb_checkpoints/b.ipynb", answered("copy")), ("__MACOSX/bob/._b.ipynb", "x")
    real = "bob/b.ipynb", answered("real"), EARLY
    row = rows_by_id(course.came(*((*copy, LATE) for copy in copies), real))["bob"]
    assert (row["file"], row["reason"]) == ("bob/b.ipynb", "")
