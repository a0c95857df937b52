"""What all functions of token data share: leading axes hold independent problems, hidden tokens count not."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import attention_svm as att
from margins.attention_svm import layers, mirror
from tests.margins.attention_svm.draws import small

SETS, W = small(batch=(2, 3)), np.random.default_rng(1).normal(size=(2, 3, 3, 3))


def assert_near(found, expected):
    """Up to what solvers are certain of, as a share of the largest entry."""
    assert_allclose(found, expected, atol=1e-6 * np.max(np.abs(expected)))


def solved(solve, data):
    """The matrices of the optimal tokens, laid out as the data are."""
    solutions = solve(data, data.optimal_tokens)
    return solutions.W if not data.batch_shape else np.reshape([s.W for s in solutions], (2, 3, 3, 3))


def classified(data, W):
    """How well W points to the machine of the tokens that it selects."""
    verdicts = att.classify_run(data, W, norm="nuclear")
    alone = not data.batch_shape
    return verdicts.correlation if alone else np.reshape([v.correlation for v in verdicts], (2, 3))


FUNCTIONS = {
    "loss": att.training_loss,
    "gradient": att.loss_gradient,
    "excess": att.log_excess,
    "excess, correlation": lambda data, W: att.log_excess(data, W, loss=att.CORRELATION),
    "training": lambda data, W: att.train(data, W, iterations=25, step=0.2).W[-1],
    "training of factors": lambda data, W: att.train(data, (W, W + 1), iterations=25, record=[5]).W[0],
    "training with a ridge": lambda data, W: att.train(data, iterations=25, ridge=0.1).W[-1],
    "mirror descent": lambda data, W: mirror.mirror_descent(data, 3, start=W, iterations=25),
    "joint training": lambda data, W: att.train_together(data, record=(30,)).W[0],
    "Frobenius": lambda data, W: solved(att.frobenius_svm, data),
    "nuclear": lambda data, W: solved(att.nuclear_svm, data),
    "runs": classified,
}
STACKS = FUNCTIONS | {
    "weights": att.softmax_weights,
    "losses": lambda data, W: att.train(data, W, iterations=25).losses[-1],
    "layers": lambda data, W: layers.readings(data, np.stack([W, 2 * W]))[0].gradient,
    "causal": lambda data, W: att.training_loss(
        att.causal_data(data.X, data.Y[..., None] + np.zeros(4), data.v), W
    ),
    "outputs of layers": lambda data, W: layers.forward(data, np.stack([W, 2 * W]), residual=True).outputs,
}


@pytest.mark.parametrize("name", STACKS)
def test_leading_axes_are_independent_problems(name):
    together = STACKS[name](SETS, W)
    for index in np.ndindex(2, 3):
        assert_near(together[index], STACKS[name](SETS[index], W[index]))


HIDDEN = np.arange(4) != np.array([[3], [0], [2]])
ONE = SETS[0, 0]
MASKED = att.TokenData(ONE.X, ONE.Z, ONE.Y, ONE.v, HIDDEN)
SHORTER = att.TokenData(ONE.X[HIDDEN].reshape(3, 3, 3), ONE.Z, ONE.Y, ONE.v)
CHOICES = {
    "first gradient": lambda data, W: att.first_gradient_margin(data),
    "board": lambda data, W: [choice.solution.margin for choice in att.all_choices(data)],
    "exposed": lambda data, W: att.exposed_tokens(data, data.optimal_tokens),
}


@pytest.mark.parametrize("name", FUNCTIONS | CHOICES)
def test_data_with_hidden_tokens_are_the_data_without_them(name):
    """Another token is hidden in each sequence."""
    assert_near(*((FUNCTIONS | CHOICES)[name](data, W[0, 0]) for data in (MASKED, SHORTER)))


def test_hidden_tokens_have_no_weight_and_no_constraint():
    weights = att.softmax_weights(MASKED, W[0, 0])
    assert not weights[~HIDDEN].any()
    assert_allclose(weights[HIDDEN].reshape(3, 3), att.softmax_weights(SHORTER, W[0, 0]), rtol=1e-12)
    for run in (att.train(MASKED, iterations=5), att.train_together(MASKED, record=[5])):
        assert not run.weights[-1][~HIDDEN].any()
    solution = att.frobenius_svm(MASKED, MASKED.optimal_tokens)
    assert solution.multipliers.shape == (6,)
    assert np.isposinf(solution.margins[~HIDDEN]).all()
    assert np.isposinf(att.token_margins(MASKED, MASKED.optimal_tokens, solution.W)[~HIDDEN]).all()


def test_sets_of_a_batch_may_hide_unequal_numbers_of_tokens():
    mask = np.ones((2, 3, 3, 4), dtype=bool)
    mask[0, 1, :, 2:] = mask[1, 0, 0, :2] = mask[1, 1, 0, 1:] = False  # the last leaves one query no choice
    data = att.TokenData(SETS.X, SETS.Z, SETS.Y, SETS.v, mask)
    for solve in (att.frobenius_svm, att.nuclear_svm):
        solutions = solve(data, data.optimal_tokens)
        assert [one.multipliers.size for one in solutions] == [9, 3, 9, 7, 6, 9]
        for index, one in zip(np.ndindex(2, 3), solutions, strict=True):
            alone = solve(data[index], data[index].optimal_tokens)
            assert_near(one.W, alone.W)
