"""Training: pieces of the text, a rate that rises and falls, steps of Adam that lower the loss."""

import numpy as np
import pytest

from margins_book.experiments.trained_head.network import Sizes, initial, loss_and_gradients
from margins_book.experiments.trained_head.training import Plan, mean_loss, rate

SIZES = Sizes(letters=3, length=8, width=8, heads=2, inner=16)
TEXT = np.tile([0, 1, 2], 100)


def test_the_rate_rises_then_falls_to_nothing():
    plan = Plan(steps=100, rate=1.0, rising=10)
    assert [rate(plan, step) for step in (0, 4, 9)] == pytest.approx([0.1, 0.5, 1.0])
    assert rate(plan, 55) == pytest.approx(0.5)
    assert rate(plan, 99) < 0.001


def test_the_mean_loss_is_that_of_the_pieces():
    parameters = initial(SIZES, np.random.default_rng(1), np.float64)
    pieces = np.array([TEXT[8 * k : 8 * k + 9] for k in range(37)])
    assert mean_loss(parameters, SIZES, TEXT[: 8 * 37 + 1]) == pytest.approx(
        loss_and_gradients(parameters, SIZES, pieces)[0]
    )
