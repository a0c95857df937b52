"""The classification of training runs."""

import numpy as np
import pytest

from margins.attention_svm import classify_run, frobenius_svm, nuclear_svm
from tests.margins.attention_svm.draws import draw


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
