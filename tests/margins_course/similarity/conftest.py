"""Fixtures that several tests of this folder share."""

import pytest

from margins_course.similarity.pairs import FingerprintReader
from tests.margins_course.sums_assignment import require_sandbox


@pytest.fixture(scope="module")
def reader():
    require_sandbox()
    with FingerprintReader() as made:
        yield made
