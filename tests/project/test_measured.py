"""What the ledger says that a test compared: read from pytest's words, gathered over runs."""

import json
from types import SimpleNamespace

import pytest

from tests import measured
from tests.measured import Gathering, comparison


@pytest.mark.parametrize(
    ("explained", "said"),
    [
        ("1.7763568394002505e-15 < 1e-08", "1.78e-15 < 1e-08"),
        ("np.float64(0.0521) <= np.float64(0.275)\n +  where np.float64(0.0521) = mean(x)", "0.0521 ≤ 0.275"),
        ("0.4231 == 0.4231 ± 4.2e-07", "0.423 = 0.423 ± 4.2e-07"),
        ("17 >= 5", "17 ≥ 5"),
        ("True\n +  where True = all()", None),
        ("[1, 2] == [1, 2]", None),
        ("1e-12 < (1e-09 * 3.0)", None),
    ],
)
def test_two_numbers_are_what_is_kept_of_an_assertion(explained, said):
    assert comparison(explained) == said


def report(name, *compared, when="call", failed=False):
    properties = [(measured.PROPERTY, said) for said in compared]
    return SimpleNamespace(nodeid=f"a.py::{name}", when=when, failed=failed, user_properties=properties)


def test_a_run_keeps_what_others_found_and_drops_what_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(measured, "RECORD", tmp_path / "new" / "measured.json")
    runs = (
        [report("test_a[1]", "1 < 2"), report("test_a[2]", "1 < 3"), report("test_b", "0 < 1"), report("c")],
        [report("test_b", failed=True), report("test_d", "4 > 1"), report("test_e", "1 > 0", when="setup")],
    )
    for reports in runs:
        gathering = Gathering()
        for each in reports:
            gathering.pytest_runtest_logreport(each)
        gathering.pytest_sessionfinish()
    assert json.loads(measured.RECORD.read_text()) == {"test_a": "1 < 3", "test_d": "4 > 1"}
