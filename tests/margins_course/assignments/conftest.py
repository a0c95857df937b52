"""Fixtures that several tests of this folder share."""

import pytest

from tests.margins_course import exercises
from tests.margins_course.assignments.test_release import SMALL


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.md"

    def written(text=SMALL):
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture(params=exercises.CHAPTERS, ids=lambda path: path.stem, scope="module")
def assigned(request):
    return exercises.assigned(request.param)
