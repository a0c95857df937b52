"""Fixtures that several tests of this folder share."""

import pytest

from tests.margins_course.collecting.test_collect import ROSTER
from tests.margins_course.courses import made_course, settings_of


@pytest.fixture
def course(tmp_path, monkeypatch):
    settings_of(monkeypatch)
    return made_course(tmp_path, ROSTER)
