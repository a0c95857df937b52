"""Which functions of a library count as changed, and which rows of the record with them."""

import pytest

from margins_book import mutants
from margins_book.mutants import Row, digests, split_stale

SOURCE = '''"""A module."""
import math

LIMIT = 3

class Head:
    def __call__(self, x: float) -> float:
        """A docstring."""
        return x + LIMIT
'''


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A folder for a library of one module."""
    (tmp_path / "svm").mkdir()
    (tmp_path / "svm" / "head.py").write_text(SOURCE)
    monkeypatch.setattr(mutants, "LIBRARY", tmp_path)
    return tmp_path


def after(library, old, new):
    """The places whose digest a change of the source changes."""
    before = digests(library)
    (library / "svm" / "head.py").write_text(SOURCE.replace(old, new))
    now = digests(library)
    return {place for place in before | now if before.get(place) != now.get(place)}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("x + LIMIT", "x - LIMIT", {"svm.head.Head.__call__"}),
        ("LIMIT = 3", "LIMIT = 4", {"svm.head"}),
        ("A docstring.", "Other words.", set()),
        ("x: float) -> float", "x)", set()),
        ("import math", "import cmath", set()),
        ("return x", "# why\\n        return x", set()),
    ],
)
def test_what_counts_as_a_change(library, old, new, changed):
    assert after(library, old, new.replace("\\n", "\n")) == changed


def test_rows_of_changed_and_lost_functions_are_stale(library):
    now = digests(library)
    place = "svm.head.Head.__call__"
    good, changed, lost = (
        Row("svm", where, "a -> b", "", "killed", digest)
        for where, digest in [(place, now[place]), (place, "another"), ("svm.gone.f", now[place])]
    )
    assert split_stale([good, changed, lost]) == ([good], [changed, lost])
