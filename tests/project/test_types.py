"""The types of the packages are right; a test, so that mypy runs beside the others."""

import subprocess
import sys
from pathlib import Path


def test_mypy_finds_nothing():
    command = [sys.executable, "-m", "mypy"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
