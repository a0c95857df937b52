"""All experiments: rows do not depend on their block, and a run can be stopped."""

import functools
from types import SimpleNamespace

import pytest

from margins_book.experiments.catalogue import EXPERIMENTS, Run, cells, measured_block, question, run
from margins_book.experiments.report import label, report

SMALL = {  # settings of which a run takes seconds, and one block of problems without its seed
    "trajectories": ({"iterations": 60}, {"picture": "clusters"}),
    "rates": ({"record": [10, 100]}, {}),
    "feasibility": ({}, {"n": 5, "T": 5, "d": 3}),
    "local-convergence": ({"record": [50, 100]}, {}),
    "ranks": ({}, {"n": 5, "T": 5, "d": 3}),
    "ranks-first-order": ({}, {"n": 5, "T": 5, "d": 3}),
    "path-limits": ({"radii": [3, 300, 3000], "starts": 2}, {}),
    "run-classes": ({"iterations": 100}, {"d": 4}),
    "global-convergence": ({"iterations": 60}, {"n": 5, "T": 5, "d": 5}),
    "several-tokens": ({"iterations": 200}, {"d": 4}),
}
EACH = [pytest.param(n, marks=[pytest.mark.full] if n == "path-limits" else []) for n in EXPERIMENTS]


@functools.cache
def block(name):
    """The rows of seeds 5 to 8, measured together."""
    experiment, (settings, cell) = EXPERIMENTS[name], SMALL[name]
    return experiment.measure(experiment.SETTINGS | settings | {"block": 4}, **cell, seed=5)


@pytest.mark.parametrize("name", EACH)
def test_a_problem_does_not_depend_on_its_block(name):
    """The rows of seed 7 are the same whether it is measured alone or in the middle of a block."""
    experiment, (settings, cell) = EXPERIMENTS[name], SMALL[name]
    assert cell.keys() | {"seed"} == cells(name)[0].keys()
    alone = experiment.measure(experiment.SETTINGS | settings | {"block": 1}, **cell, seed=7)
    assert {row["seed"] for row in block(name)} == {5, 6, 7, 8}
    for one, same in zip(alone, [row for row in block(name) if row["seed"] == 7], strict=True):
        assert one.keys() == same.keys()
        for column, value in one.items():
            number = (
                pytest.approx(value, rel=1e-6, abs=1e-9, nan_ok=True) if not isinstance(value, str) else value
            )
            assert same[column] == number, column


@pytest.mark.parametrize("name", EACH)
def test_a_block_is_reported(name):
    text = report(name, EXPERIMENTS[name].estimates(Run(name, [block(name)], 0.0).table()))
    assert len(text) >= 3
    assert len(question(name)) > 40


def test_every_block_of_an_experiment_is_another():
    for name in EXPERIMENTS:
        assert len({label(cell) for cell in cells(name)}) == len(cells(name)), name


def test_a_run_that_was_stopped_goes_on_from_its_finished_blocks(tmp_path, monkeypatch):
    """Nothing is measured twice, rows are in the order of the cells, and nothing is left behind."""
    asked, stop = [], [4]

    def measure(settings, *, d, seed):
        if len(asked) in stop:
            raise KeyboardInterrupt
        asked.append((d, seed))
        return [{"d": d, "seed": seed, "square": settings["factor"] * seed**2}]

    problems = [({"d": 2}, 3), ({"d": 3}, 3)]
    toy = SimpleNamespace(SETTINGS={"factor": 10, "block": 1}, PROBLEMS=problems, measure=measure)
    monkeypatch.setitem(EXPERIMENTS, "toy", toy)
    with pytest.raises(KeyboardInterrupt):
        run(["toy"], tmp_path, workers=1, verbose=0)
    stop.clear()
    table = run(["toy"], tmp_path, workers=1, verbose=0)["toy"].table()
    assert asked == [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]
    assert table["square"].tolist() == [0, 10, 40] * 2
    assert not list(tmp_path.iterdir())
    assert len(run(["toy"], tmp_path, seeds=1, workers=1, verbose=0)["toy"].blocks) == 2
    assert len(asked) == 8


def test_processes_measure_what_one_does(tmp_path, monkeypatch):
    experiment = EXPERIMENTS["feasibility"]
    monkeypatch.setattr(experiment, "PROBLEMS", experiment.PROBLEMS[:5])
    two = run(["feasibility"], tmp_path, seeds=50, workers=2, verbose=0)["feasibility"]
    assert two.blocks[4] == measured_block("feasibility", experiment.SETTINGS, cells("feasibility", 50)[4])[0]
    assert two.seconds > 0
