"""What the experiments report of their tables, on tables that were made so that the answer is known."""

import numpy as np
import pytest

from margins.experiments.catalogue import EXPERIMENTS
from margins.experiments.global_convergence import trend


def table_of(rows):
    """The columns of rows, in an order that tells nothing."""
    rows = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def reported(name, rows):
    """The values of each estimate by its setting, "d=4 form=W" for instance, and its quantity."""
    return {
        (" ".join(f"{key}={value}" for key, value in setting.items()), quantity): estimate.value
        for setting, estimates in EXPERIMENTS[name].estimates(table_of(rows))
        for quantity, estimate in estimates.items()
    }


def test_trend_is_the_statistic_of_cochran_and_armitage_with_logarithmic_levels():
    """T = sum_i t_i (N_1i R_2 - N_2i R_1) over the root of its variance, from the counts of each level."""
    levels, sizes, hits = np.array([2, 5, 40]), np.array([30, 50, 40]), np.array([6, 20, 25])
    t, N, R1 = np.log(levels), sizes.sum(), hits.sum()
    R2 = N - R1
    T = (t * (hits * R2 - (sizes - hits) * R1)).sum()
    cross = sum(t[i] * t[j] * sizes[i] * sizes[j] for i in range(3) for j in range(i + 1, 3))
    variance = R1 * R2 / N * ((t**2 * sizes * (N - sizes)).sum() - 2 * cross)
    successes = np.concatenate([np.arange(n) < k for n, k in zip(sizes, hits, strict=True)])
    found = trend(np.repeat(levels, sizes), successes)
    assert found == pytest.approx(T / np.sqrt(variance))
    assert found > 2
    assert trend(np.repeat(levels, sizes), ~successes) == pytest.approx(-found)
    assert trend(np.full(10, 2), np.arange(10) < 5) == 0.0


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


def test_rates_are_fitted_to_the_last_tenfold_of_steps():
    """Each problem has its own factor and power; before 3000 steps another power holds."""
    powers = {0: 0.5, 1: 1.0, 2: 1.5}
    rows = [
        {"seed": s, "form": "plain", "iteration": k, "logit gap": 10.0 * s + k}
        | {"distance": (s + 1) * (k / 3000) ** -(p if k >= 3000 else 7.0)}
        for s, p in powers.items()
        for k in (1000, 3000, 10000, 20000)
    ]
    rows += [row | {"seed": 9, "distance": np.nan} for row in rows[:4]]
    found = reported("rates", rows)
    assert found["form=plain iteration=20000", "exponent of distance"] == pytest.approx(-1.0)
    assert found["form=plain iteration=3000", "distance"] == 2.0
    assert found["form=plain iteration=10000", "logit gap"] == 10010.0
    assert ("form=plain iteration=10000", "exponent of distance") not in found


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
    rows = [
        {"n": 5, "d": 4, "seed": s, "feasible": int(s < 3), "certified": c, "first_order": f, "error": e}
        for s, (c, f, e) in enumerate(
            [(2.0, 4.0, 0.1), (2.0, 4.0, 0.2), (3.0, 5.0, 0.9), (np.nan, 1.0, np.nan)]
        )
    ]
    found = reported("ranks-first-order", rows)
    assert found["n=5 d=4", "rank certified"] == pytest.approx(7 / 3)
    assert found["n=5 d=4", "rank first_order"] == pytest.approx(13 / 3)
    assert found["n=5 d=4", "error of W"] == 0.2
    assert found["n=5 d=4", "rank as published"] == pytest.approx(14 / 4)


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
