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


@pytest.fixture
def gathered(tmp_path, monkeypatch):
    """What a run with two tests of claims records, from its reports."""
    monkeypatch.setattr(measured, "RECORD", tmp_path / "measured.json")
    monkeypatch.setattr(measured, "digests", lambda: {"test_b": "cafe", "test_a": "beef"})

    def record(*reports):
        gathering = Gathering()
        for each in reports:
            gathering.pytest_runtest_logreport(each)
        gathering.pytest_sessionfinish()
        return json.loads(measured.RECORD.read_text()) if measured.RECORD.exists() else None

    return record


def test_a_run_records_the_last_comparison_of_each_test_and_its_code(gathered):
    reports = [report("test_a[1]", "1 < 2"), report("test_a[2]", "1 < 3"), report("test_b"), report("test_c")]
    assert gathered(*reports) == {"test_a": ["1 < 3", "beef"], "test_b": ["", "cafe"]}


@pytest.mark.parametrize("last", [[], [report("test_b", failed=True)], [report("test_b", when="setup")]])
def test_a_run_in_which_a_test_is_missing_records_nothing(gathered, last, capsys):
    assert gathered(report("test_a", "1 < 2"), *last) is None
    assert "did not pass: test_b" in capsys.readouterr().out


def test_the_record_is_of_the_tests_as_they_are():
    recorded = {name: digest for name, (_, digest) in json.loads(measured.RECORD.read_text("utf8")).items()}
    assert recorded == measured.digests(), "tests of claims have changed since: run `make measured`"
