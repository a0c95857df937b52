"""The results of the small sweep."""

import pytest

from margins_book.experiments import run
from tests.margins_book.experiments.small_sweep import sweep


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The results of the sweep, and the text of their file."""
    path = tmp_path_factory.mktemp("whole") / "toy.csv"
    return run(sweep(), path, workers=1, show=False), path.read_text()
