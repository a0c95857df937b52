"""The course folder: private from the first step on, and nothing is left of what could not be written."""

import os
import stat

import pytest

from margins_course import command, folder
from margins_course.folder import CourseFolder, write


def test_the_first_step_closes_the_folder_to_others_and_no_later_one_does(tmp_path):
    root = tmp_path / "course"
    root.mkdir(mode=0o755)
    assert command.main(["new", "one", "1", "--course", str(root)]) == 0
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    root.chmod(0o750)  # a teacher who shares it with a group
    assert command.main(["new", "two", "2", "--course", str(root)]) == 0
    assert stat.S_IMODE(root.stat().st_mode) == 0o750


def test_help_names_every_step(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    said = capsys.readouterr().out
    assert [name for name in command.STEPS if f"\n    {name} " not in said] == []


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    done = []
    name_of = "/proc/self/fd/{}".format
    monkeypatch.setattr(folder.os, "fsync", lambda handle: done.append(os.readlink(name_of(handle))))
    monkeypatch.setattr(folder.os, "replace", lambda one, other: done.append("named"))
    write(tmp_path / "a", "text")
    assert done[0].startswith(f"{tmp_path}/.draft-")
    assert done[1:] == ["named", str(tmp_path)]


@pytest.mark.parametrize("failing", ["replace", "fsync"])
def test_a_file_that_cannot_be_written_leaves_no_draft_and_is_named(tmp_path, monkeypatch, failing):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(OSError, match=r"No space left on device: .*mine.csv"):
        write(tmp_path / "mine.csv", "text")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_deleted_after_an_hour(tmp_path):
    course = CourseFolder(tmp_path)
    old, new = (course.report(f".draft-{age}") for age in ("old", "new"))
    targets = tmp_path / ".canary-x"
    write(targets / "file.txt", "secret")
    for path, age in ((old, 3700), (new, 60), (targets, 3700)):
        if path != targets:
            write(path, "half")
        os.utime(path, times=(path.stat().st_mtime - age,) * 2)
    assert command.main(["grade", "none", "--course", str(tmp_path)]) == 2
    assert (old.exists(), new.exists(), targets.exists()) == (False, True, False)


def test_names_that_a_spreadsheet_would_run_are_disarmed():
    for text, cell in {
        '=HYPERLINK("x")': '\'=HYPERLINK("x")',
        "a\nb": "a b",
        "a\x1b[31mb\u202ec": "a [31mb c",
        "a.ipynb;=1+2; @x": "a.ipynb;'=1+2; '@x",
        -2.5: "-2.5",
        "-": "-",  # Moodle's sign for no grade
    }.items():
        assert folder.spreadsheet_cell(text) == cell
