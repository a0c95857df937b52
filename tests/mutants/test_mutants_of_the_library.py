"""The sample of the library's mutants, their trial, and the page on what became of them."""

import subprocess
import sys

import numpy as np
import pytest

from tests.mutants import __main__ as program
from tests.mutants import record
from tests.mutants.reasons import reasons
from tests.mutants.record import Row
from tests.mutants.sample import LIBRARY, imported_as, modules, sampled, slips_of
from tests.mutants.trial import Notes

SOURCE = '''"""A module."""

def scaled(x: int | float, by=2.0):
    if x < 0:
        raise ValueError(f"x must be >= {0}, but {x + 1} came")

    def grown(y):
        return by * y

    return grown(x)
'''


def test_slips_know_their_function_and_leave_messages_and_types_alone():
    found = {(function, formula) for _, _, function, formula in slips_of(SOURCE)}
    assert found == {("scaled", False), ("scaled.<locals>.grown", True)}


def test_tolerances_of_the_library_are_mistaken_too(tmp_path, monkeypatch):
    path = tmp_path / "close.py"
    path.write_text("CLOSE = 1e-13\n")
    monkeypatch.setattr("tests.mutants.sample.LIBRARY", tmp_path)
    (mutant,) = sampled(path, 10, np.random.default_rng(0))
    assert (mutant.place, mutant.change) == ("close", "CLOSE = 1e-13 -> CLOSE = 1e-09")


def test_a_sample_is_drawn_by_its_seed_and_has_no_mutant_twice():
    (path,) = modules("in_context")
    first, again, other = (sampled(path, 12, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert first == again
    assert first != other
    assert len({mutant.source for mutant in first}) == 12
    assert imported_as(LIBRARY / "svm" / "box.py") == "margins.svm.box"


@pytest.mark.slow
def test_mutants_are_tried_on_the_tests_of_their_package():
    """Two sums of squares in another place: no test of another package is asked, and nothing is recorded."""
    before = record.RECORD.read_bytes()
    command = [sys.executable, "-m", "tests.mutants", "in_context", "--number", "4", "--dry-run"]
    answer = subprocess.run(command, cwd=record.HERE.parents[1], capture_output=True, text=True, check=True)
    assert "in_context: 4 mutants, 0 survive" in answer.stdout
    assert record.RECORD.read_bytes() == before


def test_a_mutant_meets_the_tests_that_enter_its_function_or_what_it_holds():
    seconds = {"slow": 2.0, "quick": 1.0, "other": 0.5}
    entered = {("a.py", "head"): {"slow"}, ("a.py", "head.<locals>.<lambda>"): {"quick"}}
    entered |= {("a.py", "heads"): {"other"}, ("b.py", "head"): {"other"}}
    notes = Notes(seconds, entered)
    assert notes.chosen("a.py", "head") == ["quick", "slow"]
    assert notes.chosen("a.py", "") == ["other", "quick", "slow"]


def test_what_is_spared_keeps_its_row_and_all_others_are_tried(monkeypatch):
    met = []
    monkeypatch.setattr(program, "noted", lambda package: Notes())
    monkeypatch.setattr(program, "outcome", lambda mutant, *_: met.append(record.named(mutant)) or "stopped")
    first, *rest = program.tried("in_context", 3, 0, {})
    known = Row("in_context", first.place, first.change, first.formula, "killed")
    assert list(program.tried("in_context", 3, 0, {record.named(known): known})) == [known, *rest]
    assert met == [record.named(row) for row in (first, *rest, *rest)]


def test_the_page_counts_and_lists_survivors_with_their_reasons():
    rows = [
        Row("svm", "svm.box", "a + b -> a - b", "formula", "killed"),
        Row("svm", "svm.box", "a < b -> a <= b", "", "survived"),
        Row("kernels", "kernels.gram", "1 -> 2", "", "stopped"),
    ]
    text = record.page(rows, {"svm.box: a < b -> a <= b": "They are never equal"})
    assert "| `margins.svm` | 2 | 50 % | 1 | 100 % | 1 |" in text
    assert "| all | 3 | 67 % | 1 | 100 % | 1 |" in text
    assert "- They are never equal\n  - `svm.box`: `a < b` → `a <= b`\n" in text
    assert record.MISSING in record.page(rows, {})
    assert "### `margins.kernels`" not in text


def test_the_page_counts_apart_what_no_test_could_kill():
    rows = [
        Row("svm", "svm.box", "a + b -> b + a", "formula", "survived"),
        Row("svm", "svm.box", "a < b -> a <= b", "", "survived"),
        Row("svm", "svm.box", "a * b -> a / b", "formula", "killed"),
    ]
    why = {"svm.box: a + b -> b + a": "equal: sums commute", "svm.box: a < b -> a <= b": "never equal"}
    text = record.page(rows, why)
    assert "1 of the 2 survivors are marked *equal*" in text
    assert "Without these 50 % of the mistakes are killed, and 100 % of those in formulas." in text
    assert "| all | 3 | 33 % | 2 | 50 % | 2 |" in text


def test_the_page_is_the_one_of_the_record_and_every_survivor_has_a_reason():
    rows, why = record.read(), reasons(record.REASONS)
    assert record.PAGE.read_text(encoding="utf-8") == record.page(rows, why)
    survivors = {record.named(row) for row in rows if row.survived}
    assert survivors == why.keys(), "each survivor needs a reason in reasons.txt, and each reason a survivor"
