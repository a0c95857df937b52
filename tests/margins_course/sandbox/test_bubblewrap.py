"""Marking by an ordinary account: what a lecturer without root types ends in the same marks."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from margins_course.sandbox.bubblewrap import NOBODY_ID, unprivileged_command
from tests.margins_course.marking_class import POINTS, class_of_three


@pytest.fixture
def folder():
    """A folder in which another account may work: pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.mark.full
def test_an_account_without_rights_marks_a_class(boxes, folder):
    course = class_of_three(folder)
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
    assert course.points() == POINTS
    owners = {path.stat().st_uid for path in course.root.glob("results/sums/*.json")}
    assert owners == {int(NOBODY_ID) if before else os.geteuid()}
