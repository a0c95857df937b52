"""All experiments: rows do not depend on their block, reports read small tables, estimates are known."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest

from margins_book.experiments.catalogue import EXPERIMENTS, Run, measured_block, question, run
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
    assert cell.keys() | {"seed"} == experiment.cells()[0].keys()
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
    for name, experiment in EXPERIMENTS.items():
        cells = experiment.cells()
        assert len({label(cell) for cell in cells}) == len(cells), name


def test_a_run_that_was_stopped_goes_on_from_its_finished_blocks(tmp_path, monkeypatch):
    """Nothing is measured twice, rows are in the order of the cells, and nothing is left behind."""
    asked, stop = [], [4]

    def cells(seeds=3):
        return [{"d": d, "seed": seed} for d in (2, 3) for seed in range(seeds)]

    def measure(settings, *, d, seed):
        if len(asked) in stop:
            raise KeyboardInterrupt
        asked.append((d, seed))
        return [{"d": d, "seed": seed, "square": settings["factor"] * seed**2}]

    toy = SimpleNamespace(SETTINGS={"factor": 10}, cells=cells, measure=measure)
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
    settings, cells = EXPERIMENTS["feasibility"].SETTINGS, EXPERIMENTS["feasibility"].cells(50)[:5]
    monkeypatch.setattr(EXPERIMENTS["feasibility"], "cells", lambda seeds: cells)
    two = run(["feasibility"], tmp_path, seeds=50, workers=2, verbose=0)["feasibility"]
    assert two.blocks[4] == measured_block("feasibility", settings, cells[4])[0]
    assert two.seconds > 0


def reported(name, rows):
    """The values of each estimate of a table with shuffled rows, by setting, "d=4 form=W", and quantity."""
    rows = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    return {
        (label(setting), quantity): estimate.value
        for setting, estimates in EXPERIMENTS[name].estimates(Run(name, [rows], 0.0).table())
        for quantity, estimate in estimates.items()
    }


def test_shares_of_run_classes():
    kinds = zip(["global", "global", "local", "not converged"], (1, 1, 0.5, 0), strict=True)
    found = reported("run-classes", [{"d": 4, "kind": k, "token_accuracy": a} for k, a in kinds])
    assert [found["d=4", kind] for kind in ("global", "local", "not converged")] == [0.5, 0.25, 0.25]
    assert found["d=4", "tokens optimal"] == 0.625


def test_medians_of_trajectories():
    picture = {"picture": "fan", "form": "W"}
    found = reported(
        "trajectories", [picture | {"own": v, "other": 2 * v, "optimal": int(v < 2)} for v in (0, 1, 9)]
    )
    assert [found["picture=fan form=W", f"1 - corr. {name}"] for name in ("own", "other")] == [1, 2]
    assert found["picture=fan form=W", "all optimal"] == pytest.approx(2 / 3)


def test_local_convergence_tells_of_the_end_what_it_does_not_tell_of_the_way():
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


def test_shares_of_feasible_problems():
    sizes = {"n": 5, "T": 5, "tokens": "normal", "d": 2}
    found = reported(
        "feasibility", [sizes | {"separable": 0, "optimal": int(s < 1), "any": 1} for s in range(4)]
    )
    assert [found["n=5 T=5 tokens=normal d=2", k] for k in ("separable", "optimal", "any")] == [0, 0.25, 1]


def test_global_convergence_tests_each_form_for_a_trend():
    rows = [
        {"n": 5, "T": 5, "d": d, "seed": s, "form": form, "all_optimal": hit, "token_accuracy": 0.5 + hit / 2}
        for form, counts in (("W", {2: 1, 40: 9}), ("KQ", {2: 5, 40: 5}))
        for d, count in counts.items()
        for s in range(10)
        for hit in [int(s < count)]
    ]
    found = reported("global-convergence", rows)
    assert found["n=5 T=5 form=W d=2", "all optimal"] == pytest.approx(0.1)
    assert found["n=5 T=5 form=W d=40", "tokens optimal"] == pytest.approx(0.95)
    assert found["n=5 T=5 form=W d=all", "trend z"] == pytest.approx(np.sqrt(20 * 0.8**2))  # phi sqrt(N)
    assert found["n=5 T=5 form=KQ d=all", "trend z"] == pytest.approx(0)


def test_slopes_of_paths_belong_to_the_decade_from_300_to_3000():
    rows = [
        {
            "seed": s,
            "form": form,
            "radius": R,
            "own": (s + 1) * R**-p,
            "other": 0.3 + s / 10,
            "predicted": 0.4,
        }
        for form, powers in (("W", (1.0, 1.0, 3.0)), ("KQ", (0.5, 2.0, 2.0)))
        for s, p in enumerate(powers)
        for R in (300.0, 3000.0)
    ]
    rows += [row | {"seed": 7, "own": np.nan, "other": np.nan} for row in rows[:2]]
    found = reported("path-limits", rows)
    assert found["form=W R Gamma=300 to 3000", "slope"] == pytest.approx(-1.0)
    assert found["form=KQ R Gamma=300 to 3000", "slope"] == pytest.approx(-2.0)
    assert found["form=W R Gamma=300", "times R Gamma"] == pytest.approx(1.0)
    assert found["form=KQ R Gamma=3000", "other normalisation"] == pytest.approx(0.4)
    assert found["form=KQ R Gamma=3000", "from its prediction"] == pytest.approx(0.1)
    assert ("form=W R Gamma=3000", "from its prediction") not in found


def test_ranks_are_means_over_feasible_problems():
    solved = {"frobenius": 3.0, "nuclear": 2.0, "bound": 2.0, "fine": 4.0}
    rows = [{"n": 5, "T": 5, "d": 4, "seed": s, "feasible": 1} | solved for s in range(3)]
    rows[0] |= {"nuclear": 1.0, "fine": 1.0}
    rows += [rows[0] | {"seed": 3, "feasible": 0} | dict.fromkeys(solved, np.nan)]
    rows += [row | {"d": 2} for row in rows[-1:]]
    found = reported("ranks", rows)
    assert found["n=5 T=5 d=4", "feasible"] == 0.75
    assert found["n=5 T=5 d=4", "rank nuclear"] == pytest.approx(5 / 3)
    assert found["n=5 T=5 d=4", "rank fine"] == pytest.approx(3.0)
    assert found["n=5 T=5 d=2", "feasible"] == 0.0
    assert ("n=5 T=5 d=2", "rank nuclear") not in found


def test_first_order_ranks_count_infeasible_problems_as_published_curves_do():
    solved = [(2.0, 4.0, 0.1), (2.0, 4.0, 0.2), (3.0, 5.0, 0.9), (np.nan, 1.0, np.nan)]
    rows = [
        {"n": 5, "d": 4, "seed": s, "feasible": int(s < 3), "certified": c, "first_order": f, "error": e}
        for s, (c, f, e) in enumerate(solved)
    ]
    found = reported("ranks-first-order", rows)
    assert found["n=5 d=4", "rank certified"] == pytest.approx(7 / 3)
    assert found["n=5 d=4", "rank first_order"] == pytest.approx(13 / 3)
    assert found["n=5 d=4", "error of W"] == 0.2
    assert found["n=5 d=4", "rank as published"] == pytest.approx(14 / 4)


def test_rates_are_fitted_to_the_last_tenfold_of_steps():
    """Each problem has its own factor and power; before 3000 steps another power holds."""
    rows = [
        {"seed": s, "form": "plain", "iteration": k, "logit gap": 10.0 * s + k}
        | {"distance": (s + 1) * (k / 3000) ** -(p if k >= 3000 else 7.0)}
        for s, p in enumerate((0.5, 1.0, 1.5))
        for k in (1000, 3000, 10000, 20000)
    ]
    rows += [row | {"seed": 9, "distance": np.nan} for row in rows[:4]]
    found = reported("rates", rows)
    assert found["form=plain iteration=20000", "exponent of distance"] == pytest.approx(-1.0)
    assert found["form=plain iteration=3000", "distance"] == 2.0
    assert found["form=plain iteration=10000", "logit gap"] == 10010.0
    assert ("form=plain iteration=10000", "exponent of distance") not in found


def test_several_tokens_counts_candidates_with_some_negative_label_and_describes_the_accepted():
    verdicts = ["labels"] * 4 + ["unclear"] * 3 + ["accepted"] * 5
    values = [np.nan] * 7 + [0.1, 0.2, 0.3, 0.4, 2.0]
    columns = ("equivalent", "directional", "single", "across")
    rows = [
        {"d": 4, "seed": s, "verdict": verdict} | {name: value * (k + 1) for k, name in enumerate(columns)}
        for s, (verdict, value) in enumerate(zip(verdicts, values, strict=True))
    ]
    found = reported("several-tokens", rows)
    assert found["d=4", "accepted"] == pytest.approx(5 / 8)
    assert found["d=4", "mean equivalent"] == pytest.approx(0.6)
    assert found["d=4", "median equivalent"] == pytest.approx(0.3)
    assert found["d=4", "median across"] == pytest.approx(1.2)
