"""The review pages of a class, served for all tests that leave the server running."""

import shutil

import pytest

from tests.margins_course.review_class import new_class
from tests.margins_course.review_server import serving


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    course = new_class(tmp_path_factory.mktemp("served") / "course")
    with serving(course) as running:
        yield course, running


@pytest.fixture
def course(served):
    """The class before anybody has marked it."""
    shutil.rmtree(served[0].root)
    return new_class(served[0].root)


@pytest.fixture
def server(served, course):
    return served[1]
