"""What the tests of claims compared, recorded in tests/measured.json for the ledger by `make measured`.

pytest tells each assertion that passed, with its values; of those that compare two numbers the last of each
test is kept. `lib/margins_book/conftest.py` listens; this plugin gathers from all workers and writes. The
record is of the repository, so that two builds of one commit give the same page.
"""

import ast
import json
import re
from pathlib import Path

from margins_book.chapters import chapters
from margins_book.digests import digest

RECORD = Path(__file__).with_name("measured.json")
PROPERTY = "compared"
OPTION = "--record-measured"
NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
COMPARISON = re.compile(rf"({NUMBER}) (<|<=|>|>=|==) ({NUMBER})(?: ± ({NUMBER}))?")
SIGNS = {"<=": "≤", ">=": "≥", "==": "="}
SCALAR = re.compile(rf"np\.\w+\(({NUMBER})\)")


def comparison(explained):
    """`2.22e-16 < 1e-09` from pytest's explanation of an assertion; nothing if it compares no two numbers."""
    first = SCALAR.sub(r"\1", explained.partition("\n")[0])
    found = COMPARISON.fullmatch(first)
    if not found:
        return None
    left, sign, right, slack = found.groups()
    return f"{short(left)} {SIGNS.get(sign, sign)} {short(right)}" + (f" ± {short(slack)}" if slack else "")


def short(number):
    """A number as one reads it: three digits of what is no whole number."""
    return number if re.fullmatch(r"-?\d{1,7}", number) else f"{float(number):.3g}"


def digests():
    """By name, the digest of the code of every test of a claim."""
    files = [file for chapter in chapters() for file in chapter.claim_tests]
    nodes = [node for file in files for node in ast.parse(file.read_text("utf8")).body]
    tests = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {test.name: digest(test) for test in tests}


class Gathering:
    """The comparisons of one run, by test; the record when it ends, if every test of a claim has passed."""

    def __init__(self):
        self.found, self.failed = {}, set()

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.rpartition("::")[2].partition("[")[0]
        if report.failed:
            self.failed.add(name)
        elif report.when == "call":
            said = dict(report.user_properties).get(PROPERTY)
            self.found[name] = said or self.found.get(name, "")

    def pytest_sessionfinish(self):
        known = digests()
        missing = sorted(known.keys() - (self.found.keys() - self.failed))
        if missing:
            print(f"\nnothing is recorded, for these tests did not pass: {', '.join(missing)}")
            return
        rows = {name: [self.found[name], known[name]] for name in sorted(known)}
        RECORD.write_text(json.dumps(rows, indent=0, ensure_ascii=False) + "\n", "utf8")


def pytest_addoption(parser):
    parser.addoption(OPTION, action="store_true", help="record what the tests of claims compare")


def pytest_configure(config):
    """Gathers where the reports of all workers come together."""
    if config.getoption(OPTION) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Gathering())
