"""All experiments: rows do not depend on their block, reports read incomplete tables, estimates are known."""

import functools

import pytest

from margins_book.experiments import Results, label
from margins_book.experiments.catalogue import EXPERIMENTS, question
from margins_book.experiments.report import report
from tests.margins_book.experiments.made_tables import reported

SMALL = {  # a block of problems and one cell, cheap enough for a test
    "trajectories": ({"iterations": 100}, {"picture": "clusters"}),
    "rates": ({"record": [10, 100]}, {}),
    "feasibility": ({}, {"n": 5, "T": 5, "d": 3}),
    "local-convergence": ({"record": [50, 100]}, {}),
    "ranks": ({}, {"n": 5, "T": 5, "d": 3}),
    "ranks-first-order": ({}, {"n": 5, "T": 5, "d": 3}),
    "path-limits": ({"radii": [3, 300, 3000], "starts": 3}, {}),
    "run-classes": ({"iterations": 200}, {"d": 4}),
    "global-convergence": ({"iterations": 100}, {"n": 5, "T": 5, "d": 5}),
    "several-tokens": ({"iterations": 300}, {"d": 4}),
}


SLOW = {"path-limits"}
EACH = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in EXPERIMENTS]


@functools.cache
def block(name):
    """The rows of seeds 5 to 8, measured together."""
    experiment, (settings, cell) = EXPERIMENTS[name], SMALL[name]
    return experiment.measure(experiment.SETTINGS | settings | {"block": 4}, **cell, seed=5)


@pytest.mark.parametrize("name", EACH)
def test_a_problem_does_not_depend_on_its_block(name):
    """The rows of seed 7 are the same whether it is measured alone or in the middle of a block."""
    experiment, (settings, cell) = EXPERIMENTS[name], SMALL[name]
    assert cell.keys() | {"seed"} == experiment.sweep().cells[0].keys()
    alone = experiment.measure(experiment.SETTINGS | settings | {"block": 1}, **cell, seed=7)
    assert {row["seed"] for row in block(name)} == {5, 6, 7, 8}
    for one, same in zip(alone, [row for row in block(name) if row["seed"] == 7], strict=True):
        assert one.keys() == same.keys()
        for column, value in one.items():
            expected = (
                value if isinstance(value, str) else pytest.approx(value, rel=1e-6, abs=1e-9, nan_ok=True)
            )
            assert same[column] == expected


@pytest.mark.parametrize("name", EACH)
def test_reports_read_tables_that_are_not_complete(name, tmp_path):
    Results(tmp_path / "part.csv", {}).append("part", block(name))
    text = report(name, EXPERIMENTS[name].estimates(Results(tmp_path / "part.csv", {}).table()))
    assert len(text) >= 3
    assert len(question(name)) > 40


def test_every_cell_of_an_experiment_has_its_own_name():
    for experiment in EXPERIMENTS.values():
        cells = experiment.sweep().cells
        assert len({label(cell) for cell in cells}) == len(cells)


def test_shares_and_medians_of_the_other_experiments():
    kinds = ["global", "global", "local", "not converged"]
    found = reported(
        "run-classes",
        [{"d": 4, "kind": k, "token_accuracy": a} for k, a in zip(kinds, (1, 1, 0.5, 0), strict=True)],
    )
    assert [found["d=4", kind] for kind in ("global", "local", "not converged")] == [0.5, 0.25, 0.25]
    assert found["d=4", "tokens optimal"] == 0.625
    rows = [
        {"picture": "fan", "form": "W", "own": v, "other": 2 * v, "optimal": int(v < 2)} for v in (0, 1, 9)
    ]
    found = reported("trajectories", rows)
    assert [found["picture=fan form=W", f"1 - corr. {name}"] for name in ("own", "other")] == [1, 2]
    assert found["picture=fan form=W", "all optimal"] == pytest.approx(2 / 3)
    rows = [
        {
            "form": "W",
            "iteration": k,
            "frobenius": f,
            "nuclear": f / 2,
            "top": 1.0,
            "ceiling": 0.8,
            "optimal": o,
        }
        for k, f, o in ((100, 0.2, 0), (100, 0.4, 1), (400, 0.6, 1), (400, 0.8, 1))
    ]
    found = reported("local-convergence", rows)
    assert found["form=W iteration=100", "frobenius"] == pytest.approx(0.3)
    assert found["form=W iteration=400", "nuclear"] == pytest.approx(0.35)
    assert found["form=W iteration=400", "all optimal"] == 1
    assert ("form=W iteration=100", "ceiling") not in found
    sizes = {"n": 5, "T": 5, "tokens": "normal", "d": 2}
    found = reported(
        "feasibility", [sizes | {"separable": 0, "optimal": int(s < 1), "any": 1} for s in range(4)]
    )
    assert [found["n=5 T=5 tokens=normal d=2", k] for k in ("separable", "optimal", "any")] == [0, 0.25, 1]
