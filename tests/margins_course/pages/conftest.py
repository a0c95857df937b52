"""Fixtures that several tests of this folder share."""

import pytest

from tests.margins_course.review_class import new_class


@pytest.fixture
def course(tmp_path):
    return new_class(tmp_path / "course")
