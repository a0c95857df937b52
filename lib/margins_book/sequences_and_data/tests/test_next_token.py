"""Next-token prediction with linear logits: both sums, log-odds and machine, from their definitions."""

import numpy as np
import pytest

from margins_book.sequences_and_data.next_token import Language, descend_together, normalised


def drawn(seed):
    """Four contexts in six dimensions and four words, of which one to three follow."""
    rng = np.random.default_rng(seed)
    counts = rng.uniform(0.5, 1.5, size=(4, 4)) * np.array([rng.permutation(4) < 1 + j % 3 for j in range(4)])
    return Language(rng.normal(size=(4, 6)), normalised(counts), normalised(rng.uniform(1, 2, size=4))), rng


@pytest.mark.parametrize("seed", range(3))
def test_the_excess_is_the_sum_of_both_parts_and_vanishes_far_out(seed):
    language, rng = drawn(seed)
    W = rng.normal(size=(4, 6))
    G, B = language.split(W)
    assert abs(np.vdot(G, B)) < 1e-12
    assert abs(language.excess(W) - language.inside(G) - language.outside(G, B)) < 1e-12
    assert 0 < language.excess(language.log_odds + 20 * language.machine) < 1e-7


@pytest.mark.parametrize("seed", range(3))
def test_descent_steps_along_minus_the_gradient(seed):
    language, rng = drawn(seed)
    W, U = rng.normal(size=(2, 4, 6))
    moved = language.descend([1], start=W)[0] - W
    slope = (language.excess(W + 1e-6 * U) - language.excess(W - 1e-6 * U)) / 2e-6
    assert abs(np.vdot(moved, U) / language.step + slope) < 1e-7


def test_languages_descend_together_as_each_alone():
    languages = [drawn(seed)[0] for seed in range(3)]
    starts = np.random.default_rng(0).normal(size=(3, 4, 6))
    found = descend_together(languages, [0, 20], starts)
    for j, language in enumerate(languages):
        assert np.allclose(found[:, j], language.descend([0, 20], start=starts[j]), atol=1e-12)


def test_log_odds_that_contradict_each_other_keep_the_loss_above_the_entropy():
    """At -x the odds are the other way round, which one matrix can serve; at 2 x the same odds it cannot."""
    two = np.array([[0.75, 0.25, 0], [0.25, 0.75, 0]])
    contexts, half = np.array([[1.0], [2.0]]), np.full(2, 0.5)
    opposite = Language(np.array([[1.0], [-1.0]]), two, half)
    assert opposite.log_odds is not None
    assert opposite.machine is None
    torn = Language(contexts, two, half)
    assert torn.log_odds is None
    assert torn.excess(torn.descend([3000])[0]) > 0.05
