"""Tests tried on mutants: each in a fork of this process, which has loaded everything but the library.

What tests call is noted once per package, so that a mutant meets only tests that enter its function, the
quickest first.
"""

import contextlib
import importlib
import importlib.abc
import importlib.util
import os
import pickle
import resource
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import hypothesis
import pytest

from margins_book.mutants import LIBRARY

TESTS = Path(__file__).parents[1]
OPTIONS = ["-q", "-x", "--fast", "--tb=no", "--assert=plain", "--no-header", "-p", "no:cacheprovider"]
OPTIONS += ["-p", "no:tests.measured", "-p", "no:xdist"]
SECONDS, PATIENCE = 5, 5  # of processor time, and how many times as long as the tests take with a tracer
MEMORY = 6 << 30  # bytes of addresses
OURS = ("margins", "margins_course", "tests", "conftest", "__main__")


def test_files(package):
    """The tests that mirror the package: test_<package>.py or the folder <package> in tests/margins."""
    mirror = TESTS / "margins"
    named = [mirror / f"test_{package}.py", *(mirror / package).rglob("test_*.py")]
    return sorted(str(path) for path in named if path.exists())


@dataclass
class Notes:
    """What the tests of a package do when nothing is wrong, gathered as a plugin of pytest."""

    seconds: dict = field(default_factory=dict)  # by test
    entered: dict = field(default_factory=lambda: defaultdict(set))  # tests by file and function
    loaded: list = field(default_factory=list)  # modules that are not ours

    def __post_init__(self):
        self.seen, self.prepared = set(), defaultdict(set)

    def note(self, frame, event, argument):
        """The tracer: called as a function is entered, it notes those of the library and follows none."""
        if frame.f_code.co_filename.startswith(str(LIBRARY)):
            self.seen.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        before, self.seen = self.seen, set()
        yield
        self.prepared[fixturedef] |= self.seen
        self.seen = before | self.seen

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.seen, start = set(), time.process_time()
        sys.settrace(self.note)
        yield
        sys.settrace(None)
        self.seconds[item.nodeid] = time.process_time() - start
        for definitions in item._fixtureinfo.name2fixturedefs.values():  # made for an earlier test, maybe
            self.seen |= self.prepared[definitions[-1]]
        for place in self.seen:
            self.entered[place].add(item.nodeid)

    def chosen(self, path, function):
        """The tests that enter a function of a file, the quickest first; all, where none seems to.

        What it holds counts as well: a function made as the tests were loaded may be entered there alone.
        """
        inside = f"{function}.<locals>."
        entered = [
            tests
            for (file, name), tests in self.entered.items()
            if file == str(path) and (name == function or name.startswith(inside))
        ]
        return sorted(set().union(*entered) or self.seconds.keys(), key=self.seconds.get)


def noted(package):
    """The `Notes` on a package's tests; everything they load but the library is loaded here as well."""

    def run(answer):
        notes = Notes()
        code = pytest.main([*OPTIONS, *test_files(package)], plugins=[notes])
        assert code == pytest.ExitCode.OK, f"the tests of {package} fail without a mutant"
        notes.loaded = [name for name in sorted(sys.modules) if name.partition(".")[0] not in OURS]
        pickle.dump((notes.seconds, dict(notes.entered), notes.loaded), answer)
        answer.flush()

    with tempfile.TemporaryFile() as answer:
        status = in_a_fork(lambda: run(answer))
        answer.seek(0)
        if status:
            raise RuntimeError(f"the tests of {package} fail without a mutant; run them by themselves first")
        notes = Notes(*pickle.load(answer))
    for name in notes.loaded:
        with contextlib.suppress(Exception):  # some modules exist only while they are being loaded
            importlib.import_module(name)
    return notes


def outcome(mutant, tests, seconds):
    """`killed`, `stopped` (no end within the processor time that tests with this mutant get), `survived`."""

    def run():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.meta_path.insert(0, Instead(mutant))
        files = sorted({test.partition("::")[0] for test in tests})
        return pytest.main([*OPTIONS, *(str(TESTS.parent / file) for file in files)], plugins=[Chosen(tests)])

    limit = int(SECONDS + PATIENCE * seconds)
    status = in_a_fork(run)
    return "stopped" if os.WIFSIGNALED(status) else "killed" if status else "survived"


def in_a_fork(run):
    """What becomes of `run`, called in a fork that says nothing: 0 if it returns 0 or nothing."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    code = 1
    with contextlib.suppress(BaseException):
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        quick = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile("quick", database=None, derandomize=True, phases=quick)
        hypothesis.settings.load_profile("quick")
        code = int(run() or 0)
    os._exit(code)


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The importer of one mutant, instead of its module."""

    def __init__(self, mutant):
        self.mutant = mutant

    def find_spec(self, name, path, target=None):
        return importlib.util.spec_from_loader(name, self) if name == self.mutant.module else None

    def exec_module(self, module):
        exec(compile(self.mutant.source, self.mutant.module, "exec"), module.__dict__)


@dataclass
class Chosen:
    """The plugin that runs some tests alone, in their order, and ends the run with the first failure."""

    tests: list

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        order = {test: place for place, test in enumerate(self.tests)}
        items[:] = sorted(
            (item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid]
        )

    def pytest_runtest_logreport(self, report):
        if report.failed:
            os._exit(1)
