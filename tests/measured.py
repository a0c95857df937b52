"""What the tests of claims compared last, kept in _build/measured.json for the ledger's page.

pytest tells each assertion that passed, with its values; of those that compare two numbers the last of each
test is kept. `lib/margins_book/conftest.py` listens; this plugin gathers from all workers and writes.
"""

import json
import re
from pathlib import Path

RECORD = Path(__file__).parents[1] / "_build" / "measured.json"
PROPERTY = "compared"
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


class Gathering:
    """The comparisons of one run, by test; written over those of earlier runs when it ends."""

    def __init__(self):
        self.found, self.failed = {}, set()

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.rpartition("::")[2].partition("[")[0]
        if report.failed:
            self.failed.add(name)
        elif report.when == "call":
            said = dict(report.user_properties).get(PROPERTY)
            self.found |= {name: said} if said else {}

    def pytest_sessionfinish(self):
        if self.found or self.failed:
            known = json.loads(RECORD.read_text("utf8")) if RECORD.exists() else {}
            kept = {name: said for name, said in (known | self.found).items() if name not in self.failed}
            RECORD.parent.mkdir(exist_ok=True)
            RECORD.write_text(json.dumps(dict(sorted(kept.items())), indent=0, ensure_ascii=False), "utf8")


def pytest_configure(config):
    """Gathers where the reports of all workers come together."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Gathering())
