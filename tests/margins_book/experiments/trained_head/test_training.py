"""Training: pieces of the text, a rate that rises and falls, steps of Adam that lower the loss."""

import numpy as np
import pytest

from margins_book.experiments.trained_head.network import Sizes, initial, loss_and_gradients
from margins_book.experiments.trained_head.training import Plan, batches, mean_loss, rate, trained

SIZES = Sizes(letters=3, length=8, width=8, heads=2, inner=16)
TEXT = np.tile([0, 1, 2], 100)


def test_a_text_that_repeats_is_learnt():
    parameters, losses = trained(TEXT, SIZES, Plan(steps=150, texts=4, rate=0.01, rising=10), seed=0)
    assert losses[0] > 0.8
    assert losses[-1] < 0.2
    assert mean_loss(parameters, SIZES, TEXT) < 0.2


def test_the_first_step_of_adam_moves_every_entry_by_the_rate():
    plan, rng = Plan(steps=1, texts=4, rate=0.01, rising=1), np.random.default_rng(5)
    begin = initial(SIZES, rng)
    _, slopes = loss_and_gradients(begin, SIZES, next(batches(TEXT, 8, plan, rng)))
    after, _ = trained(TEXT, SIZES, plan, seed=5)
    for name, slope in slopes.items():
        felt = np.abs(slope) > 1e-4
        np.testing.assert_allclose((begin[name] - after[name])[felt], 0.01 * np.sign(slope[felt]), rtol=1e-2)


def test_the_rate_rises_then_falls_to_nothing():
    plan = Plan(steps=100, rate=1.0, rising=10)
    assert [rate(plan, step) for step in (0, 4, 9)] == pytest.approx([0.1, 0.5, 1.0])
    assert rate(plan, 55) == pytest.approx(0.5)
    assert rate(plan, 99) < 0.001


def test_pieces_are_of_the_text_and_one_letter_longer():
    for piece in next(batches(TEXT, 8, Plan(steps=1, texts=5), np.random.default_rng(0))):
        assert len(piece) == 9
        assert np.array_equal((piece[1:] - piece[:-1]) % 3, np.ones(8))


def test_the_mean_loss_is_that_of_the_pieces():
    parameters = initial(SIZES, np.random.default_rng(1), np.float64)
    pieces = np.array([TEXT[8 * k : 8 * k + 9] for k in range(37)])
    assert mean_loss(parameters, SIZES, TEXT[: 8 * 37 + 1]) == pytest.approx(
        loss_and_gradients(parameters, SIZES, pieces)[0]
    )
