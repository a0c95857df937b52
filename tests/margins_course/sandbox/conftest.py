"""Boxes for the tests of this folder."""

import pytest

from margins_course.sandbox.process import SandboxProcess
from tests.margins_course.sums_assignment import require_sandbox


@pytest.fixture(scope="session")
def boxes():
    """A machine on which boxes can be made."""
    require_sandbox()


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
