"""Recorded results and published values: well formed, of the code's own settings, made again from seeds."""

import csv

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest

from margins.experiments import label
from margins.experiments.catalogue import EXPERIMENTS
from margins.experiments.estimates import mean, median, share
from margins.experiments.published import FILE, published
from margins.experiments.recorded import FOLDER, compact, read, recorded, text_of

NAMES = sorted(file.stem for file in FOLDER.glob("*.csv"))


def cell_of(row, sweep):
    """The label of the cell that a recorded row belongs to."""
    values = {name: int(row[name]) for name in sweep.cells[0]}
    return label(values | {"seed": values["seed"] - values["seed"] % sweep.settings["block"]})


def rows_of(name, cell):
    """The recorded rows of one cell."""
    sweep = EXPERIMENTS[name].sweep()
    return [row for row in read(name)[1] if cell_of(row, sweep) == label(cell)]


@pytest.mark.parametrize("name", NAMES)
def test_recorded_results_are_those_of_the_code(name):
    """The settings of the file and of the code are the same, and so are the cells."""
    sweep = EXPERIMENTS[name].sweep()
    settings, rows = read(name)
    assert settings == sweep.settings, f"record {name} anew: its settings have changed"
    assert {cell_of(row, sweep) for row in rows} == {label(cell) for cell in sweep.cells}
    assert text_of(settings, rows) == (FOLDER / f"{name}.csv").read_text()
    assert not [row for row in rows if None in row.values()]


SAMPLES = {  # cells that are cheap to measure again
    "global-convergence": {"n": 5, "T": 5, "d": 5, "seed": 100},
    "local-convergence": {"seed": 50},
    "ranks": {"n": 5, "T": 5, "d": 10, "seed": 50},
    "run-classes": {"d": 4, "seed": 50},
    "several-tokens": {"d": 4, "seed": 500},
    "path-limits": {"seed": 10},
}
DRIFTING = {"W textbook", "KQ textbook"}  # rounding steers these once softmax is saturated


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n == "path-limits" else []) for n in NAMES]
)
def test_a_sample_of_recorded_results_is_made_again(name):
    """Another machine rounds otherwise: a few runs in a hundred may end elsewhere, no more."""
    experiment, cell = EXPERIMENTS[name], SAMPLES[name]
    pooled = getattr(experiment, "POOLED", False)
    again = compact(cell, experiment.measure(experiment.SETTINGS, **cell), pooled=pooled)
    kept = rows_of(name, cell)
    assert sum(counts(again)) == sum(counts(kept))
    again, kept = ([row for row in rows if row.get("form") not in DRIFTING] for rows in (again, kept))
    for rows, others in ((again, kept), (kept, again)):
        assert found_among(rows, others) >= 0.97
    assert all(float(row.get("gap", 0.0)) <= 1e-9 for row in [*again, *kept])


def counts(rows):
    return [int(row.get("count", 1)) for row in rows]


def found_among(rows, others):
    """The share of rows that agree with one of the others, floats to 2 % or an absolute 1e-3."""
    found = np.ones((len(rows), len(others)), dtype=bool)
    for column in rows[0].keys() - {"count", "gap"}:
        a, b = (numbers([row[column] for row in part]) for part in (rows, others))
        if a.dtype.kind == "U":
            found &= a[:, None] == b
        else:
            found &= np.isclose(a[:, None], b, rtol=0.02, atol=1e-3, equal_nan=True)
    return np.average(found.any(axis=1), weights=counts(rows))


def numbers(texts):
    """An array of floats if all texts are such, else of texts."""
    try:
        return np.array(texts, dtype=float)
    except ValueError:
        return np.array(texts)


def test_recorded_results_load_as_tables():
    table = recorded("several-tokens")
    assert len(table["d"]) == 47_000
    accepted = table["verdict"] == "accepted"
    assert min(np.unique(table["d"][accepted], return_counts=True)[1]) >= 500  # as many as were published
    assert np.isfinite(table["equivalent"]).tolist() == accepted.tolist()
    with pytest.raises(ValueError, match="name must be one of"):
        recorded("several")


def test_compact_rows_are_rounded_and_counted():
    rows = [{"seed": s, "x": 0.123456, "kind": "a", "gap": g} for s, g in ((5, 1e-16), (6, 3.2e-10))]
    expected = {"seed": "5", "x": "0.1235", "kind": "a", "gap": "4e-10"}
    assert compact({"seed": 5}, rows, pooled=True) == [expected | {"count": "2"}]
    assert compact({"seed": 5}, rows, pooled=False) == [expected, expected | {"seed": "6"}]


def test_every_published_value_names_its_source_and_a_quantity_that_is_measured():
    with open(FILE, newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["experiment"], row["setting"], row["quantity"]) for row in rows}) == len(rows) > 20
    assert all(float(row["value"]) > 0 and len(row["source"]) > 20 for row in rows)
    for name in {row["experiment"] for row in rows} & set(NAMES):
        estimates = EXPERIMENTS[name].estimates(recorded(name))
        measured = {(label(setting), quantity) for setting, values in estimates for quantity in values}
        assert set(published(name)) <= measured


def test_intervals_are_those_of_other_programs():
    hits = np.arange(50) < 37
    known = binomtest(37, 50).proportion_ci(method="wilson")
    assert_allclose(share(hits), (0.74, known.low, known.high), rtol=1e-6)
    assert_allclose(
        mean([1.0, 2.0, 3.0, 4.0]), (2.5, 2.5 - 1.96 * 0.645497, 2.5 + 1.96 * 0.645497), rtol=1e-4
    )
    assert np.isnan(share([]).value)
    assert_array_equal(median([3.0]), (3.0, np.nan, np.nan))


def test_interval_of_a_median_holds_it_as_often_as_it_says():
    """Of exponential samples: 95 % is met, and not by much more than the steps of the ranks allow."""
    rng = np.random.default_rng(0)
    found = [median(rng.exponential(size=80)) for _ in range(4000)]
    held = np.mean([low <= np.log(2) <= high for _, low, high in found])
    assert 0.945 < held < 0.975
