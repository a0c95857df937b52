"""The archive: its bytes depend on files and a moment alone, and everything in it can be read and written."""

import subprocess
import zipfile

import pytest

from scripts.editions import archive

MOMENT = 1_800_000_000  # 15 January 2027, 8 o'clock in the morning
FILES = {"book/b.html": b"<p>" * 1000, "book/a.js": b"a", "book/fonts/c.woff2": bytes(range(256))}


@pytest.fixture
def packed(tmp_path):
    archive.pack(FILES, tmp_path / "book.zip", MOMENT)
    return tmp_path / "book.zip"


def test_the_same_files_make_the_same_bytes_in_whatever_order_they_come(packed, tmp_path):
    again = tmp_path / "again.zip"
    archive.pack(dict(reversed(FILES.items())), again, MOMENT)
    assert again.read_bytes() == packed.read_bytes()
    archive.pack(FILES, again, MOMENT + 2)  # an archive counts in steps of two seconds
    assert again.read_bytes() != packed.read_bytes()


def test_files_are_dated_packed_and_plain(packed):
    with zipfile.ZipFile(packed) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == FILES
        assert {entry.date_time for entry in opened.infolist()} == {(2027, 1, 15, 8, 0, 0)}
        assert {oct(entry.external_attr >> 16) for entry in opened.infolist()} == {"0o100644"}
    assert packed.stat().st_size < 1000


def test_the_moment_is_given_or_that_of_the_last_commit(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(MOMENT))
    assert archive.moment() == MOMENT
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    monkeypatch.setattr(archive, "last_commit", lambda: "1799999999")
    assert archive.moment() == 1_799_999_999


@pytest.mark.parametrize("wrong", ["yesterday", "86400", "-5", "1.5"])
def test_a_moment_that_no_archive_can_hold_is_refused(monkeypatch, wrong):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
    with pytest.raises(ValueError, match=rf"is '{wrong}': give the seconds from 1970 to a day after 1980"):
        archive.moment()


def test_without_a_commit_the_remedy_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(archive, "ROOT", tmp_path)
    with pytest.raises(RuntimeError, match=r"git does not know the last commit: .*; set SOURCE_DATE_EPOCH"):
        archive.last_commit()
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "--quiet"], cwd=tmp_path, check=True)
    dated = {"GIT_COMMITTER_DATE": f"{MOMENT} +0100", "GIT_AUTHOR_DATE": "1700000000 +0000"}
    commit = [*git, "commit", "--quiet", "--allow-empty", "--message", "Begin"]
    subprocess.run(commit, cwd=tmp_path, check=True, env=dated)
    assert archive.last_commit() == str(MOMENT)
