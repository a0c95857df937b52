"""A class that is marked in this process, for changes."""

import pytest

from tests.margins_course.fast_marking import marked_fast
from tests.margins_course.marking_class import class_of_three


@pytest.fixture
def graded(tmp_path, monkeypatch):
    """Ada is right, bob half right, cyd's notebook as it was given, and dan handed in nothing."""
    marked_fast(monkeypatch)
    course = class_of_three(tmp_path)
    course.mark()
    return course
