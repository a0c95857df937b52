"""Whether a result is of the file, the checks, the points and the settings that count now.

A result carries the hash of the file that was marked and the hash of all that its points rest on: the code of
the instructor's notebook and what checks and lines of rubrics are worth. The instructor's notebook carries
the hash of the settings that it was released from. Where one of them has changed there is no mark, and the
reason names the command that makes one.
"""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

import nbformat

from margins_course.assignments.answer_forms import FORMS_KEY
from margins_course.assignments.cells import grade_id
from margins_course.assignments.settings import Settings
from margins_course.assignments.sheet import KEY, read_sheet
from margins_course.collecting.records import Standing
from margins_course.grading.results import Result

SETTINGS = "settings"  # under which the notebook keeps the hash of its settings


@lru_cache(maxsize=4)
def checks_hash(source: str) -> str:
    """The hash of what points rest on in the text of an instructor's notebook."""
    cells = [cell for cell in nbformat.reads(source, as_version=4).cells if cell.cell_type == "code"]
    code = [[grade_id(cell), cell.source, cell.metadata.get(FORMS_KEY)] for cell in cells]
    worth = {exercise.label: exercise.worth for exercise in read_sheet(source).exercises}
    return _hash([code, worth])


def settings_hash(settings: Settings) -> str:
    """The hash of the settings that a release makes notebooks from: exercises, points, own checks."""
    chosen = [[Path(one.chapter).stem, one.label, one.points] for one in settings.exercises]
    files = sorted(settings.private_checks.glob("*.py")) if settings.private_checks else []
    private = [[file.name, file.read_text(encoding="utf-8", errors="replace")] for file in files]
    return _hash([chosen, private])


def _hash(value) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def why_not_released(source: str, settings: Settings) -> str:
    """Why the released notebook is not what the settings say, "" if it is."""
    released = json.loads(source)["metadata"][KEY].get(SETTINGS)
    if released in (None, settings_hash(settings)):  # None: an earlier version released it
        return ""
    return f"assignment.yml changed after the release: margins-course release {settings.name}"


def why_outdated(result: Result, standing: Standing, source: str, name: str) -> str:
    """Why a result does not count, "" if it does."""
    why = ""
    if result.key.file != standing.sha256:
        why = "another file counts since it was marked"
    elif result.key.checks != checks_hash(source):
        why = "checks or points changed after it was marked"
    elif result.ran_out:
        why = "its time ran out beside others, and it was not marked again alone"
    return why and f"{why}: margins-course grade {name}"
