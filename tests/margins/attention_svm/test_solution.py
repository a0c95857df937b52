"""Solutions: gaps, support tokens, correlations; and the training runs that are judged by them."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from margins.attention_svm import (
    classify_run,
    correlation,
    frobenius_svm,
    nuclear_svm,
    random_token_data,
    token_margins,
)
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.solution import solved
from tests.margins.attention_svm.draws import draw


@pytest.mark.parametrize(("blur", "status"), [(1e-6, "optimal"), (1e-3, "inaccurate")])
def test_a_gap_above_a_billionth_is_confessed(blur, status):
    """The gap grows with the square of what is wrong with the multipliers, here 1e-12 or 1e-6."""
    data = random_token_data(3, 3, 6, rng=np.random.default_rng(0))
    svm = frobenius_svm(data, data.optimal_tokens)
    constraints = pair_constraints(data, data.optimal_tokens)
    multipliers = svm.multipliers * (1 + blur * np.where(np.arange(len(svm.multipliers)) % 2, 1, -1))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        again = solved(constraints, "frobenius", svm.W, multipliers)
    assert again.status == status
    assert len(said) == (status == "inaccurate")
    assert 0 <= again.gap < 10 * blur**2 + 1e-12


def test_correlation_takes_lists():
    assert correlation([[1, 1], [0, 0]], [[1, 0], [0, 0]]) == pytest.approx(0.5**0.5)
    stack, one = np.random.default_rng(0).normal(size=(5, 3, 2)), np.ones((3, 2))
    for pair in ((stack, one), (one, stack)):
        np.testing.assert_allclose(correlation(*pair), [correlation(one, matrix) for matrix in stack])


def test_support_tokens_are_the_ones_at_margin_one():
    data = draw()
    solution = frobenius_svm(data, data.optimal_tokens)
    margins = token_margins(data, data.optimal_tokens, solution.W)
    np.testing.assert_array_equal(solution.support, np.abs(margins - 1) < 1e-6)
    loosely = replace(solution, gap=1e-3)  # which pins the margins down to a few hundredths only
    np.testing.assert_array_equal(loosely.support, margins <= 1 + 10 * 1e-3**0.5)
    assert loosely.support.sum() > solution.support.sum()
    carried = np.zeros((4, 5))
    carried[np.arange(5) != data.optimal_tokens[:, None]] = solution.multipliers
    assert not (carried[~solution.support] > 1e-9 * carried.max()).any()


def test_a_rank_counts_singular_values_above_a_ten_thousandth():
    data = random_token_data(3, 3, 6, rng=np.random.default_rng(0))
    W = np.diag([2.0, 1.0, 3e-4, 1.5e-4, 1e-9, 0.0])
    svm = replace(frobenius_svm(data, data.optimal_tokens), W=W)
    assert (svm.rank(), svm.rank(1e-5), svm.rank(0)) == (3, 4, 5)


def run_to(data, tokens, length=1e3):
    W = frobenius_svm(data, tokens).W
    return length * W / np.linalg.norm(W)


def test_runs_are_classified_by_tokens_probability_and_direction():
    data = draw()
    best, other = data.optimal_tokens, (data.optimal_tokens + 1) % 5
    finished = classify_run(data, run_to(data, best))
    assert (finished.kind, finished.token_accuracy) == ("global", 1.0)
    assert finished.correlation == pytest.approx(1.0)
    np.testing.assert_array_equal(finished.tokens, best)
    local = classify_run(data, run_to(data, other))
    assert (local.kind, local.token_accuracy) == ("local", 0.0)
    first_alone = np.where(np.arange(len(best)) == 0, best, other)
    mixed = classify_run(data, run_to(data, first_alone))
    assert (mixed.kind, mixed.token_accuracy) == ("local", 1 / len(best))
    early = classify_run(data, run_to(data, best, 10.0))
    assert early.kind == "not converged"
    assert early.probability < 1 - 1e-6
    noise = np.random.default_rng(1).normal(size=(4, 4))
    aside = classify_run(data, run_to(data, best) + 0.2 * 1e3 * noise / np.linalg.norm(noise))
    assert aside.kind == "not converged"
    assert aside.correlation < 0.99


def test_a_run_at_rest_has_no_direction():
    verdict = classify_run(draw(), np.zeros((4, 4)))
    assert verdict.kind == "not converged"
    assert np.isnan(verdict.correlation)


def test_runs_of_keys_and_queries_answer_to_the_nuclear_norm():
    data = draw(6, 8, 10, batch=2)
    W = np.stack([1e4 * s.W for s in nuclear_svm(data, data.optimal_tokens)])
    verdicts = classify_run(data, W, norm="nuclear")
    assert [v.kind for v in verdicts] == ["global", "global"]
    assert min(v.correlation for v in verdicts) > 1 - 1e-6
    assert max(v.correlation for v in classify_run(data, W)) < 0.99
    assert classify_run(data[1], W[1], norm="nuclear").correlation == pytest.approx(verdicts[1].correlation)
