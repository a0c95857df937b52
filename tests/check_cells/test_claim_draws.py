"""Tests of claims are tried with other seeds, by pytest in a process of its own."""

import multiprocessing

import numpy as np
import pytest

from margins_book.draws import TEST
from tests.check_cells.claim_draws import digests_of_tests, outcomes_of_tests
from tests.check_cells.outcomes import rows_of

SOURCE = """
import numpy as np
import pytest

SIZE = 3


def test_lucky():
    assert np.random.default_rng(0).normal(size=SIZE)[0] > 0


@pytest.mark.parametrize("shift", [5, 6])
def test_always(shift):
    assert np.random.default_rng(0).normal() + shift > 0


def test_fixed():
    assert 1 + 1 == 2


@pytest.fixture
def broken():
    return next(v for v in np.random.default_rng(0).normal(size=SIZE) if v > 0)


def test_after(broken):
    assert broken > 0


@pytest.mark.slow
def test_slow():
    assert 1 + 1 == 3
"""
DRAWS = 5


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("claims") / "test_claims_of_draws.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rows(file):
    codes = digests_of_tests([file])
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        drawn = pool.starmap(outcomes_of_tests, [([file], draw, codes) for draw in range(DRAWS)], chunksize=1)
    return {row.name: row for row in rows_of(TEST, codes, drawn)}


def numbers(size):
    return [np.random.default_rng(1000 * draw).normal(size=size) for draw in range(DRAWS)]


def test_the_share_is_that_of_the_numbers_themselves(rows):
    held = [x[0] > 0 for x in numbers(3)]
    assert (rows["test_lucky"].draws, rows["test_lucky"].held) == (DRAWS, sum(held))
    assert sum(held) < DRAWS
    assert rows["test_lucky"].denied_in == str(held.index(False))
    assert "> 0" in rows["test_lucky"].denied_by


def test_all_cases_of_a_test_are_taken_together(rows):
    assert (rows["test_always"].draws, rows["test_always"].held) == (DRAWS, DRAWS)


def test_a_fixture_that_fails_makes_a_test_not_reached(rows):
    lost = sum((x < 0).all() for x in numbers(3))
    assert (rows["test_after"].not_reached, rows["test_after"].held) == (lost, DRAWS - lost)
    assert lost > 0


def test_what_is_not_random_or_slow_has_no_share(rows):
    assert rows["test_fixed"].draws == 0
    assert "test_slow" not in rows


def test_only_the_tests_that_are_asked_for_are_tried(file):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(outcomes_of_tests, ([file], 0, {"test_always"})).keys() == {"test_always"}


def test_a_digest_is_of_the_test_and_what_the_file_shares(file):
    before = digests_of_tests([file])
    file.write_text(SOURCE.replace("[0] > 0", "[0] > -9"), encoding="utf-8")
    changed = {name for name, code in digests_of_tests([file]).items() if code != before[name]}
    assert changed == {"test_lucky"}
    file.write_text(SOURCE.replace("SIZE = 3", "SIZE = 4"), encoding="utf-8")
    assert all(code != before[name] for name, code in digests_of_tests([file]).items())
