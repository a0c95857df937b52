"""Chapter 9, Sequences, causality, depth and real data: the claims that need training."""

import warnings

import numpy as np
import pytest

from margins import attention_svm as att
from margins import data as real
from margins.attention_svm import layers
from margins.estimators import SVMClassifier


def sequences(seed, n=2, T=3, d=8, batch=12):
    """Self-attended sequences with a label for every output."""
    rng = np.random.default_rng(seed)
    data = att.random_token_data(n, T, d, rng=rng, batch=batch)
    return data.X, rng.choice([-1.0, 1.0], size=(batch, n, T)), data.v


def correlations_of_layers(depth, residual, problems=12, iterations=1000):
    """(L, problems, 3): correlation with the machine of asked and of all queries, agreement with scores."""
    data = att.random_token_data(4, 4, 10, rng=np.random.default_rng(21), batch=problems)
    start = 0.1 * np.random.default_rng(22).normal(size=(depth, problems, 10, 10))
    W = layers.train_layers(data, start, residual=residual, iterations=iterations)[-1]
    now = layers.forward(data, W, residual=residual)
    asked = layers.asked_positions(now.weights, residual=residual)
    best = [read.scores.argmax(-1) for read in layers.readings(data, W, residual=residual)]
    found = np.zeros((depth, problems, 3))
    for place, b in np.ndindex(depth, problems):
        chosen = now.weights[place][b].argmax(axis=-1)
        for which, queries in enumerate((asked[place, b], np.ones((4, 4), dtype=bool))):
            one = layers.layer_data(now.tokens[place][b], data[b], queries)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # machines of twins are known less accurately
                machine = att.frobenius_svm(one, chosen[queries])
            found[place, b, which] = att.correlation(W[place, b], machine.W) if machine.feasible else 0.0
        found[place, b, 2] = (best[place][b] == chosen)[asked[place, b]].mean()
    return found


@pytest.fixture(scope="module")
def with_residuals():
    return correlations_of_layers(2, True)


def test_c9_04_correction_layers_turn_to_the_machines_of_the_queries_that_are_asked(with_residuals):
    """Two layers trained together with residual connections, 12 problems."""
    assert (np.median(with_residuals[:, :, 0], axis=1) > 0.95).all()
    assert (np.median(with_residuals[:, :, 1], axis=1) < 0.9).all()


def test_c9_10_in_a_stack_unasked_queries_leave_no_constraint(with_residuals):
    """In every problem layer 1 is nearer to the machine of some queries than to that of all."""
    assert (with_residuals[0, :, 0] > with_residuals[0, :, 1]).all()


def test_c9_09_tokens_selected_at_the_end_have_the_best_momentary_scores(with_residuals):
    """Of the queries asked, nearly all select the token that would lower the loss most."""
    assert with_residuals[..., 2].mean() > 0.95


@pytest.fixture(scope="module")
def without_residuals():
    return correlations_of_layers(2, False)


@pytest.mark.full
def test_c9_04_correction_without_residual_connections_the_upper_layer_sees_twins(without_residuals):
    """The lower layer has its machine, the upper one has none to speak of."""
    assert np.median(without_residuals[0, :, 0]) > 0.95
    assert np.median(without_residuals[1, :, 0]) < 0.8


@pytest.mark.full
def test_c9_09_without_residual_connections_one_in_five_of_the_upper_layer_has_a_better_token(
    without_residuals,
):
    """The share of queries asked that select the best momentary score, by layer."""
    lower, upper = without_residuals[..., 2].mean(axis=1)
    assert lower > 0.95
    assert upper == pytest.approx(0.8, abs=0.15), "twelve problems: two in twenty draws are further than .1"


def test_c9_06_three_layers_turn_to_machines_of_the_queries_asked():
    """Two of three layers as closely as above, the last one more slowly."""
    found = np.median(correlations_of_layers(3, True, problems=8, iterations=800)[..., :2], axis=1)
    assert (found[:2, 0] > 0.95).all()
    assert found[2, 0] > 0.8
    assert (found[:, 0] > found[:, 1]).all()


def trained_machine(X, y, seed, steps):
    """Correlation of trained W with the machine of the tokens it selects, and its training accuracy."""
    chosen = np.random.default_rng(seed).permutation(len(y))[:30]
    X, y = X[chosen], y[chosen]
    means = X.mean(axis=1)
    head = SVMClassifier(C=100.0).fit(means, y)
    Z = means - means.mean(axis=0)
    data = att.TokenData(X, Z / np.linalg.norm(Z, axis=1, keepdims=True), y, head.coef_[0])
    run = att.train(data, iterations=steps, record=1)
    solution = att.frobenius_svm(data, run.tokens)
    hits = (run.weights[-1] * data.scores).sum(axis=1) + y * head.intercept_ > 0
    return att.correlation(run.W[-1], solution.W) if solution.feasible else 0.0, hits.mean()


def test_c9_05_training_on_digits_finds_the_machine_of_the_patches_it_selects():
    """Threes and eights as 16 patches with random Fourier features, two draws of 30 images."""
    images, digits = real.digits_of(3, 8)
    X = real.embed_patches(real.digit_patches(images), 64, rng=np.random.default_rng(0), reach=1.5)
    found = np.array([trained_machine(X, np.where(digits == 3, 1.0, -1.0), s, 2000) for s in range(2)])
    assert found[:, 0].min() > 0.93
    assert found[:, 1].min() > 0.95
