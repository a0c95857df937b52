"""The tests of claims in one draw: pytest runs their files with moved seeds and tells what they compare."""

import ast
import contextlib
import hashlib
import os
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from margins_book.chapters import ROOT
from margins_book.digests import digest
from margins_book.page.seeds import moved_seeds
from tests.check_cells.outcomes import Outcome
from tests.check_cells.watching import LONGEST_REASON

# no record of what the ledger shows, the same examples of hypothesis in each draw
OPTIONS = f"-c {ROOT / 'pyproject.toml'} -q -p no:cacheprovider -p no:tests.measured --hypothesis-seed=0"


class Listener:
    """A plugin of pytest: what became of each test, all its cases together."""

    def __init__(self):
        self.outcomes: dict[str, Outcome] = {}
        self.sums = {}

    def pytest_assertion_pass(self, item, expl):
        self.sums.setdefault(_name(item.nodeid), hashlib.blake2b()).update(expl.encode())

    def pytest_runtest_logreport(self, report):
        outcome = self.outcomes.setdefault(_name(report.nodeid), Outcome())
        if report.failed and report.when == "call":
            outcome.denied.append(_failure(report))
        elif report.failed:
            outcome.unreached = outcome.unreached or f"its {report.when}"


def outcomes_of_tests(files: Sequence[Path], draw: int, names: Collection[str]) -> dict[str, Outcome]:
    """By test, what became of those with these names in one draw."""
    listener = Listener()
    chosen = [f"{file}::{name}" for file in files for name in digests_of_tests([file]) if name in names]
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere), moved_seeds(draw):
        pytest.main([*chosen, *OPTIONS.split()], plugins=[listener])
    for name, compared in listener.sums.items():
        listener.outcomes[name].compared = compared.hexdigest()
    return listener.outcomes


def digests_of_tests(files: Sequence[Path]) -> dict[str, str]:
    """By test that is not slow, the digest of its code with that of its file outside of tests."""
    found = {}
    for file in files:
        nodes = ast.parse(file.read_text(encoding="utf-8")).body
        tests = [
            node for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]
        shared = [node for node in nodes if node not in tests]
        found |= {test.name: digest(ast.Module([*shared, test], [])) for test in tests if not _is_slow(test)}
    return found


def _is_slow(test):
    return any(ast.unparse(mark).endswith("mark.slow") for mark in test.decorator_list)


def _name(nodeid):
    return nodeid.rpartition("::")[2].partition("[")[0]


def _failure(report):
    """The line at which a test failed, without what it compared, and what it compared."""
    crash = getattr(report.longrepr, "reprcrash", None)
    said = " ".join((crash.message if crash else str(report.longrepr)).split())
    where = f"line {crash.lineno}" if crash else "a failure"
    return where, said[:LONGEST_REASON]
