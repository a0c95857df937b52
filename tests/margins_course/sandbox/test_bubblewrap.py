"""Marking by an ordinary account: what a lecturer without root types ends in the same marks."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from margins_course.collecting.collect import collect
from margins_course.grading.results import read_result
from margins_course.sandbox.bubblewrap import NOBODY_ID, unprivileged_command
from tests.margins_course.sums_assignment import FULL, RIGHT, answered, by_exercise
from tests.margins_course.test_class import released

LEAVING = "def twice(x):\n    import os\n    os._exit(0)"


@pytest.fixture
def folder():
    """A folder in which another account may work: pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.mark.full
def test_an_account_without_rights_marks_a_class(boxes, folder):
    course, student = released(folder, ["ada,Ada Lovelace", "bob,Bob Lee", "cyd,Cyd Oz"])
    answers = {"ada": RIGHT, "bob": RIGHT | {"twice": LEAVING}, "cyd": {}}
    (folder / "in").mkdir()
    for name, answer in answers.items():
        (folder / "in" / f"{name}.ipynb").write_text(answered(student, answer), encoding="utf-8")
    collect(course, "sums", folder / "in")
    before = []
    if os.geteuid() == 0:
        before = unprivileged_command()
        for path in (folder, *folder.rglob("*")):
            os.chown(path, int(NOBODY_ID), int(NOBODY_ID))
    command = [sys.executable, "-m", "margins_course.command", "grade", "sums", "--course", str(course.root)]
    done = subprocess.run(
        [*before, *command], env=os.environ | {"HOME": str(folder)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "3 submissions, 3 marked now" in done.stdout
    points = {name: read_result(course.result("sums", name)).points for name in answers}
    marks = {name: by_exercise(found) for name, found in points.items()}
    assert marks == {"ada": FULL, "bob": FULL | {"twice": 0.0}, "cyd": dict.fromkeys(FULL, 0.0)}
    owners = {path.stat().st_uid for path in course.root.glob("results/sums/*.json")}
    assert owners == {int(NOBODY_ID) if before else os.geteuid()}
