"""Chapter 9, Sequences and causality: the claims that need training."""

import numpy as np
from numpy.testing import assert_allclose

from margins.attention_svm import (
    TokenData,
    causal_data,
    correlation,
    frobenius_svm,
    random_token_data,
    sequence_data,
    train,
)


def aligned(data, **options):
    """The correlation of trained W with the SVM of the tokens it selected, one a problem."""
    run = train(data, record=1, **options)
    return correlation(run.W[-1], np.array([solution.W for solution in frobenius_svm(data, run.tokens)]))


def test_c9_01_self_and_cross_attention_converge_alike():
    """z_i = x_i1 or z_i free: n = 6, T = 8, d = 10, 20 problems each, 2000 steps."""
    for self_attention in (True, False):
        rng = np.random.default_rng(9)
        data = random_token_data(6, 8, 10, rng=rng, batch=20, self_attention=self_attention)
        correlations = aligned(data)
        assert correlations.mean() > 0.98
        assert correlations.min() > 0.85


def sequences(seed, n=2, T=3, d=8, batch=12):
    """Self-attended sequences with a label for every output."""
    rng = np.random.default_rng(seed)
    data = random_token_data(n, T, d, rng=rng, batch=batch)
    return data.X, rng.choice([-1.0, 1.0], size=(batch, n, T)), data.v


def test_c9_02_training_on_all_outputs_finds_the_svm_of_n_t_queries():
    """The reduction is exact, so results for single queries transfer: W points to the SVM of n T samples."""
    data = sequence_data(*sequences(2))
    assert data.sizes == (6, 3, 8)
    correlations = aligned(data, iterations=4000)
    assert np.median(correlations) > 0.998
    assert correlations.mean() > 0.97


def test_c9_03_causal_training_finds_the_svm_with_constraints_on_prefixes_only():
    """Query k competes among tokens 1, ..., k; the trained W points to that SVM, not to the full one."""
    X, Y, v = sequences(3)
    causal, full = causal_data(X, Y, v), sequence_data(X, Y, v)
    run = train(causal, iterations=4000, record=1)
    assert (run.weights[-1][~causal.allowed] == 0).all()
    assert_allclose(run.weights[-1, :, ::3, 0], 1.0)  # the first position has no choice
    own = np.array([solution.W for solution in frobenius_svm(causal, run.tokens)])
    correlations = correlation(run.W[-1], own)
    assert np.median(correlations) > 0.998
    assert correlations.mean() > 0.97
    other = np.array([solution.W for solution in frobenius_svm(full, train(full, record=1).tokens)])
    assert correlation(run.W[-1], other).mean() < 0.95


def test_c9_05_correction_only_near_duplicates_of_the_selected_token_matter():
    """Doubling a suppressed token changes nothing in the direction; a near twin of the winner turns it."""
    data = random_token_data(2, 4, 6, rng=np.random.default_rng(5))
    tokens = data.optimal_tokens
    loser = data.scores.argmin(axis=1)
    run = train(data, iterations=3000, record=1)

    def with_twin(of):
        twin = data.X[np.arange(2), of] - 0.02 * data.Y[:, None] * data.v
        return TokenData(np.concatenate([data.X, twin[:, None]], axis=1), data.Z, data.Y, data.v)

    harmless, harmful = (frobenius_svm(with_twin(of), tokens) for of in (loser, tokens))
    assert 1 / harmless.margin < 1.2 / frobenius_svm(data, tokens).margin
    assert 1 / harmful.margin > 5 / frobenius_svm(data, tokens).margin
    doubled = train(with_twin(loser), iterations=3000, record=1)
    assert correlation(doubled.W[-1], run.W[-1]) > 0.98


def test_c9_11_correction_tokens_that_do_not_support_can_be_pruned_before_training():
    """Without them the SVM, and where retraining goes, is the same; without a support token it is not."""
    data = random_token_data(2, 6, 4, rng=np.random.default_rng(3))
    tokens = data.optimal_tokens
    solution = frobenius_svm(data, tokens)
    needed = solution.support | (np.arange(6) == tokens[:, None])
    assert needed.sum() < needed.size
    pruned = TokenData(data.X, data.Z, data.Y, data.v, needed)
    assert_allclose(frobenius_svm(pruned, tokens).W, solution.W, atol=1e-9)
    first, again = (train(which, iterations=6000, record=1).W[-1] for which in (data, pruned))
    assert correlation(first, again) > 0.999
    constrained = np.arange(6) != tokens[:, None]
    multipliers = np.zeros((2, 6))
    multipliers[constrained] = solution.multipliers
    without = needed.copy()
    without[np.unravel_index(multipliers.argmax(), (2, 6))] = False
    assert (
        np.linalg.norm(
            frobenius_svm(TokenData(data.X, data.Z, data.Y, data.v, without), tokens).W - solution.W
        )
        > 1e-2
    )
