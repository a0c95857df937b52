"""Boxes, and the review pages of a class, for the tests of this folder."""

import os
import shutil

import pytest

from margins_course import CourseProblem
from margins_course.sandbox.bubblewrap import require_bubblewrap
from margins_course.sandbox.process import SandboxProcess
from margins_course.similarity.pairs import FingerprintReader
from tests.margins_course.review_class import new_class
from tests.margins_course.review_server import serving
from tests.margins_course.sums_assignment import notebooks


@pytest.fixture(scope="session")
def boxes():
    """A machine on which boxes can be made; elsewhere the tests that need them are left out."""
    try:
        require_bubblewrap()
    except CourseProblem as problem:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{problem}; with CI=true the tests of marking may not be left out")
        pytest.skip(str(problem))


@pytest.fixture
def box(boxes):
    """A box of its own."""
    made = SandboxProcess()
    yield made
    made.close()


@pytest.fixture
def run(box):
    """`run(code)`: the box's reply to a cell."""
    return lambda code, *seconds: box.ask({"run": code, "name": "cell"}, *(seconds or [20]))


@pytest.fixture(scope="session")
def sums(tmp_path_factory):
    """The instructor's and the students' notebook of the small chapter."""
    return notebooks(tmp_path_factory.mktemp("sums"))


@pytest.fixture(scope="module")
def reader(boxes):
    """A reader of fingerprints of students' code."""
    with FingerprintReader() as made:
        yield made


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A class, and the server of its pages for all tests that leave it running."""
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
