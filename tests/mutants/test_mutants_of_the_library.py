"""The sample of the library's mutants, their trial, and the page on what became of them."""

import subprocess
import sys
import warnings
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from extensions.pages import mutants_page
from margins_book.mutants import LIBRARY, RECORD, Row, read_rows, reasons, split_stale
from tests.mutants import __main__ as program
from tests.mutants.sample import PACKAGES, imported_as, modules, sampled, slips_of
from tests.mutants.trial import Notes

WARN_BEYOND, FAIL_BEYOND = 1 / 4, 1 / 3  # shares of rows: of a package, of the whole record
NOT_TRIED = {"data", "powers_of_two"}  # data sets, and the scaling of numbers

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
    assert imported_as(LIBRARY / "svm" / "large" / "box.py") == "margins.svm.large.box"


@pytest.mark.slow
def test_mutants_are_tried_on_the_tests_of_their_package():
    """Two sums of squares in another place: no test of another package is asked, and nothing is recorded."""
    before = RECORD.read_bytes()
    command = [sys.executable, "-m", "tests.mutants", "in_context", "--number", "4", "--dry-run"]
    answer = subprocess.run(command, cwd=LIBRARY.parents[1], capture_output=True, text=True, check=True)
    assert "in_context: 4 mutants, 0 survive" in answer.stdout
    assert RECORD.read_bytes() == before


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
    monkeypatch.setattr(program, "outcome", lambda mutant, *_: met.append(mutant.name) or "stopped")
    first, *rest = program.tried("in_context", 3, 0, {})
    known = replace(first, outcome="killed")
    assert list(program.tried("in_context", 3, 0, {known.name: known})) == [known, *rest]
    assert met == [row.name for row in (first, *rest, *rest)]


def row(package="svm", change="a + b -> a - b", formula="formula", outcome="killed", place=None):
    return Row(package, place or f"{package}.box", change, formula, outcome, "digest")


def test_the_page_counts_what_is_current_and_says_how_much_is_not():
    current = [row(), row(change="a < b -> a <= b", formula="", outcome="survived"), row("kernels")]
    text = mutants_page.counts(current, [row(outcome="survived")])
    assert "| `margins.svm` | 2 | 50 % | 1 | 100 % | 1 | 1 |" in text
    assert "| all | 3 | 67 % | 2 | 100 % | 1 | 1 |" in text
    assert "Out of date: 1, in functions that have changed" in mutants_page.allowance(current, [row()])
    assert "Out of date" not in mutants_page.allowance(current, [])


def test_the_page_lists_survivors_with_their_reasons():
    rows = [row(change="a < b -> a <= b", outcome="survived"), row()]
    text = mutants_page.survivors(rows, {"svm.box: a < b -> a <= b": "They are never equal"})
    assert text == "- They are never equal\n  - `svm.box`: `a < b` → `a <= b`\n"
    assert mutants_page.MISSING in mutants_page.survivors(rows, {})
    assert mutants_page.survivors(rows[1:], {}) == ""


def test_the_page_counts_apart_what_no_test_could_kill(monkeypatch):
    rows = [
        row(change="a + b -> b + a", outcome="survived"),
        row(change="a < b -> a <= b", formula="", outcome="survived"),
        row(change="a * b -> a / b"),
    ]
    why = {"svm.box: a + b -> b + a": "equal: sums commute", "svm.box: a < b -> a <= b": "never equal"}
    monkeypatch.setattr(mutants_page, "reasons", lambda: why)
    text = mutants_page.allowance(rows, [])
    assert "1 of the 2 survivors are marked *equal*" in text
    assert "Without these 50 % of the mistakes are killed, and 100 % of those in formulas." in text


def test_every_survivor_has_a_reason():
    """And every reason a survivor, in packages of which no row is out of date."""
    current, stale = split_stale(read_rows())
    survivors, changed = {row.name for row in current if row.survived}, {row.package for row in stale}
    assert survivors - reasons().keys() == set(), "give each survivor a test or its line in reasons.txt"
    unused = {line for line in reasons().keys() - survivors if line.split(".")[0] not in changed}
    assert unused == set(), "these lines of reasons.txt belong to no survivor"


def test_the_record_is_of_the_library_as_it_is():
    """Names the packages to try again; fails where the record says more of an earlier library."""
    current, stale = split_stale(read_rows())
    of_package = Counter(row.package for row in [*current, *stale])
    for package, count in Counter(row.package for row in stale).most_common():
        if count > WARN_BEYOND * of_package[package]:
            said = f"{count} of {of_package[package]} mutants are of functions that have changed since"
            warnings.warn(f"{said}: run `make mutants PACKAGE={package}`", stacklevel=1)
    assert len(stale) <= FAIL_BEYOND * (len(current) + len(stale)), "see the warnings for what to run"


def test_every_package_of_the_library_is_tried():
    packages = {path.parent for path in LIBRARY.glob("*/__init__.py")} | set(LIBRARY.glob("[!_]*.py"))
    assert {path.stem for path in packages} - NOT_TRIED == set(PACKAGES)
    assert {row.package for row in read_rows()} == set(PACKAGES)
