"""Recorded results and published values: well formed, of the code's own settings, made again from seeds."""

import numpy as np
import pytest

from margins_book.experiments import label
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.recorded import FOLDER, compact, read, recorded, text_of
from margins_book.experiments.report import largest_gap

NAMES = sorted(file.stem for file in FOLDER.glob("*.csv"))


def cell_of(row, sweep):
    """The label of the cell that a recorded row belongs to."""
    values = {name: int(row[name]) if row[name].isdigit() else row[name] for name in sweep.cells[0]}
    return label(values | {"seed": values["seed"] - values["seed"] % sweep.settings["block"]})


def rows_of(name, cell):
    """The recorded rows of one cell."""
    sweep = EXPERIMENTS[name].sweep()
    return [row for row in read(name)[1] if cell_of(row, sweep) == label(cell)]


@pytest.mark.parametrize("name", NAMES)
def test_recorded_results_are_those_of_the_code(name):
    """The settings of the file and of the code are the same, and so are the cells."""
    sweep = EXPERIMENTS[name].sweep()
    head, rows = read(name)
    assert head["settings"] == sweep.settings, f"record {name} anew: its settings have changed"
    assert {cell_of(row, sweep) for row in rows} == {label(cell) for cell in sweep.cells}
    gap = np.nan if head["gap"] is None else head["gap"]
    assert not gap > 1e-9  # NaN where no problem is solved
    assert text_of(head["settings"], gap, rows) == (FOLDER / f"{name}.csv").read_text()
    assert not [row for row in rows if None in row.values()]


def test_every_experiment_is_recorded_in_little_room():
    assert set(EXPERIMENTS) == set(NAMES)
    assert sum(file.stat().st_size for file in FOLDER.glob("*.csv")) < 320_000


SAMPLES = {  # cells that are cheap to measure again
    "feasibility": {"n": 10, "T": 5, "d": 4, "seed": 50},
    "ranks-first-order": {"n": 5, "T": 5, "d": 2, "seed": 50},
    "rates": {"seed": 0},
    "trajectories": {"picture": "fan", "seed": 0},
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
    rows = experiment.measure(experiment.SETTINGS, **cell)
    assert not largest_gap({name: np.array([row[name] for row in rows]) for name in rows[0]}) > 1e-9
    again = compact(cell, rows, **getattr(experiment, "RECORDED", {}))
    kept = rows_of(name, cell)
    assert sum(counts(again)) == sum(counts(kept))
    again, kept = ([row for row in rows if row.get("form") not in DRIFTING] for rows in (again, kept))
    for rows, others in ((again, kept), (kept, again)):
        assert found_among(rows, others) >= 0.97


def counts(rows):
    return [int(row.get("count", 1)) for row in rows]


def found_among(rows, others):
    """The share of rows that agree with one of the others, floats to 2 % or an absolute 1e-3."""
    found = np.ones((len(rows), len(others)), dtype=bool)
    for column in rows[0].keys() - {"count"}:
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
    rows = [{"seed": s, "x": 0.123456, "kind": "a", "gap": 3e-10} for s in (5, 6)]
    expected = {"seed": "5", "x": "0.1235", "kind": "a"}
    assert compact({"seed": 5}, rows[:1], digits=2) == [expected | {"x": "0.12"}]
    assert compact({"seed": 5}, rows, pooled=True) == [expected | {"count": "2"}]
    assert compact({"seed": 5}, rows, pooled=False) == [expected, expected | {"seed": "6"}]
