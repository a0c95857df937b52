"""Recorded results: well formed, of the code's own settings, made again from seeds."""

import numpy as np
import pytest

from conftest import full
from margins_book.experiments.catalogue import EXPERIMENTS, Run, cells
from margins_book.experiments.recorded import FOLDER, packed, read, recorded, text_of, typed, unpacked
from margins_book.experiments.report import label, largest_gap

NAMES = sorted(file.stem for file in FOLDER.glob("*.csv"))


def cell_of(line, name):
    """The cell that a recorded line belongs to."""
    return {key: int(line[key]) if line[key].isdigit() else line[key] for key in cells(name)[0]}


def test_recorded_results_are_those_of_the_code():
    """The settings of the file and of the code are the same, and so are the cells."""
    assert set(EXPERIMENTS) == set(NAMES)
    for name, experiment in EXPERIMENTS.items():
        head, lines = read(name)
        assert head["settings"] == experiment.SETTINGS, f"record {name} anew: its settings have changed"
        assert {label(cell_of(line, name)) for line in lines} == {label(cell) for cell in cells(name)}
        for line in lines:
            assert len(unpacked(line, in_order=True)) == experiment.SETTINGS["block"], name
        gap = np.nan if head["gap"] is None else head["gap"]
        assert not gap > 1e-9, name  # NaN where no problem is solved
        assert text_of(head, lines) == (FOLDER / f"{name}.csv").read_text(), name


SAMPLES = {  # blocks that are cheap to measure again
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
LONG = {"path-limits", "rates", "local-convergence"}
DRIFTING = {"W textbook", "KQ textbook"}  # rounding steers these once softmax is saturated


@pytest.mark.parametrize("name", [*sorted(set(NAMES) - LONG), *full(*sorted(LONG))])
def test_a_sample_of_recorded_results_is_made_again(name):
    """Another machine rounds otherwise: a few runs in a hundred may end elsewhere, no more."""
    experiment, cell = EXPERIMENTS[name], SAMPLES[name]
    rows = experiment.measure(experiment.SETTINGS, **cell)
    assert not largest_gap(Run(name, [rows], 0.0).table()) > 1e-9
    made = [
        {key: str(value) for key, value in line.items()}
        for line in packed(rows, **getattr(experiment, "RECORDED", {}))
    ]
    again, kept = (
        [row for line in lines for row in unpacked(line, in_order=False) if row.get("form") not in DRIFTING]
        for lines in (made, [line for line in read(name)[1] if cell_of(line, name) == cell])
    )
    assert len(again) == len(kept)
    for rows, others in ((again, kept), (kept, again)):
        assert found_among(rows, others) >= 0.97


def found_among(rows, others):
    """The share of rows that agree with one of the others, floats to 2 % or an absolute 1e-3."""
    found = np.ones((len(rows), len(others)), dtype=bool)
    for column in rows[0]:
        a, b = (typed([row[column] for row in part]) for part in (rows, others))
        is_text = a.dtype.kind == "U"
        found &= (
            a[:, None] == b if is_text else np.isclose(a[:, None], b, rtol=0.02, atol=1e-3, equal_nan=True)
        )
    return found.any(axis=1).mean()


def test_recorded_results_load_as_tables():
    table = recorded("several-tokens")
    assert len(table["d"]) == 47_000
    accepted = table["verdict"] == "accepted"
    assert min(np.unique(table["d"][accepted], return_counts=True)[1]) >= 500  # as many as were published
    assert np.isfinite(table["equivalent"]).tolist() == accepted.tolist()
    with pytest.raises(ValueError, match="name must be one of"):
        recorded("several")


def test_packed_rows_are_rounded_listed_and_unpacked():
    rows = [
        {"d": 4, "seed": s, "x": x, "kind": k, "gap": 3e-10}
        for s, x, k in ((5, 0.5, "b"), (6, 0.123456, "not a"))
    ]
    rows.append(rows[1] | {"seed": 7, "gap": 2e-10})
    line = {"d": "4", "seed": 5, "x": "0.5; 0.1235*2", "kind": "b; not a*2"}
    assert packed(rows) == [line]
    assert packed(rows, digits=2, in_order=False) == [line | {"x": "0.12*2; 0.5", "kind": "not a*2; b"}]
    assert packed([*rows, rows[0] | {"d": 2}])[1] == {"d": "2", "seed": 5, "x": "0.5", "kind": "b"}
    apart = unpacked(line, in_order=True)
    assert apart[2] == {"d": "4", "seed": 7, "x": "0.1235", "kind": "not a"}
    assert [row["seed"] for row in apart] == [5, 6, 7]
    assert [row["seed"] for row in unpacked(line, in_order=False)] == [5, 5, 5]
