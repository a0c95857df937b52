"""The loss, its excess and its gradient against complex steps, and 500 digits where they are small."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import attention_svm as att
from margins.attention_svm.excess import LogExcess
from margins.attention_svm.gradient import loss_gradient, training_loss
from margins.attention_svm.heads import LINEAR, concave_head, increasing_head, mlp_head, relu_head
from margins.attention_svm.losses import CORRELATION, LOGISTIC
from margins.attention_svm.normalisers import EXPONENTIAL, softplus_power
from margins.attention_svm.objective import Objective
from tests.margins.attention_svm.draws import small as draw
from tests.margins.attention_svm.plain_attention import complex_step, logistic, plain_loss

V = np.random.default_rng(5).normal(size=(4, 3))
OUTWARD = np.array([1.0, -2.0, 0.5, -0.1])
HEADS = {
    "linear": (LINEAR, lambda v: lambda x: v @ x),
    "increasing": (
        increasing_head(lambda u: np.tanh(2 * u) + u**3, lambda u: 2 / np.cosh(2 * u) ** 2 + 3 * u**2),
        lambda v: lambda x: np.tanh(2 * (v @ x)) + (v @ x) ** 3,
    ),
    "concave": (concave_head(0.7), lambda v: lambda x: v @ x - 0.7 * x @ x),
    "relu": (relu_head(V), lambda v: lambda x: (V @ x)[(V @ x).real > 0].sum()),
    "two layers": (mlp_head(V, OUTWARD, np.sin, slope=np.cos), lambda v: lambda x: OUTWARD @ np.sin(V @ x)),
}
LOSSES = {"logistic": (LOGISTIC, logistic), "correlation": (CORRELATION, lambda u: -u)}
NORMALISERS = {
    "exponential": (EXPONENTIAL, lambda a: np.exp(a - a.real.max())),
    "softplus squared": (softplus_power(2), lambda a: np.log(1 + np.exp(a)) ** 2),
}


@pytest.mark.parametrize("normaliser", NORMALISERS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("head", HEADS)
def test_loss_and_gradient_are_those_of_complex_steps(head, loss, normaliser):
    data = draw()
    W = np.random.default_rng(1).normal(size=(3, 3))
    ours = {"head": HEADS[head][0], "loss": LOSSES[loss][0], "normaliser": NORMALISERS[normaliser][0]}
    direct = {"head": HEADS[head][1](data.v), "loss": LOSSES[loss][1], "phi": NORMALISERS[normaliser][1]}
    assert_allclose(training_loss(data, W, **ours), plain_loss(data, W, **direct), rtol=1e-13)
    expected = complex_step(lambda W: plain_loss(data, W, **direct), W)
    assert_allclose(loss_gradient(data, W, **ours), expected, atol=1e-14)


def test_textbook_and_stable_gradient_agree_before_saturation():
    data = draw(batch=5)
    objective = Objective(data, head=concave_head(0.3))
    logits = np.random.default_rng(2).normal(size=(4, 3, 5))
    stable, scale = objective.stable_gradient(logits)
    assert_allclose(stable * np.exp(scale), objective.textbook_gradient(logits), atol=1e-16)
    turned = np.asfortranarray(logits)  # the same numbers, otherwise in memory
    assert_allclose(objective.stable_gradient(turned)[0], stable, atol=1e-16)


@pytest.mark.parametrize("gap", [40, 300, 900])
def test_stable_gradient_keeps_every_digit_in_saturation(gap):
    """The derivative s_t (g_t - s.g) by 500 digits, for weights down to e^-900."""
    data = draw(n=1)
    logits = np.array([0.5, gap + 0.25, 0.0, -1.5])
    objective = Objective(data, loss=CORRELATION)
    stable, scale = objective.stable_gradient(logits[:, None, None])
    with localcontext(prec=500):
        masses = [Decimal(a).exp() for a in logits]
        weights = [m / sum(masses) for m in masses]
        scores = [Decimal(g) for g in data.scores[0]]
        mean = sum(s * g for s, g in zip(weights, scores, strict=True))
        factor = Decimal(float(scale[0])).exp()
        exact = [float(-s * (g - mean) / factor) for s, g in zip(weights, scores, strict=True)]
    assert_allclose(stable[:, 0, 0], exact, rtol=1e-12)
    textbook = float(objective.textbook_gradient(logits[:, None, None])[1, 0, 0])
    assert abs(float(Decimal(textbook) / factor) - exact[1]) > 0.01 * abs(exact[1])


def test_softplus_power_is_stable_far_from_zero():
    a = np.array([-800.0, -50.0, -39.9, 0.0, 3.0, 800.0])
    softplus = np.append(np.log1p(np.exp(a[2:5])), 800.0)
    log_phi, slope = softplus_power(3).log(a), softplus_power(3).log_slope(a)
    assert_allclose(log_phi, 3 * np.append(a[:2], np.log(softplus)), rtol=1e-14)
    assert_allclose(slope[[0, 1, 5]], [3.0, 3.0, 3 / 800])
    h = 1e-5
    assert_allclose(slope, (softplus_power(3).log(a + h) - softplus_power(3).log(a - h)) / (2 * h), rtol=1e-6)


def test_the_slope_of_a_loss_far_below_rounding_is_found_in_silence():
    with np.errstate(over="raise"):
        slopes = LOGISTIC.slope(np.array([0.0, 30.0, 1e4]))
    np.testing.assert_allclose(slopes, [-0.5, -np.exp(-30), 0], atol=1e-25)


def exact_log_excess(data, W):
    """log(L(W) - mean l(gamma_opt)) for the logistic loss, by 500 digits."""
    with localcontext(prec=500):
        total = Decimal(0)
        for scores, logits in zip(data.scores, np.einsum("ntd,de,ne->nt", data.X, W, data.Z), strict=True):
            masses = [Decimal(float(a)).exp() for a in logits]
            mean = sum(m * Decimal(float(g)) for m, g in zip(masses, scores, strict=True)) / sum(masses)
            best = Decimal(float(max(scores)))
            total += (1 + (-mean).exp()).ln() - (1 + (-best).exp()).ln()
        return float((total / len(data.scores)).ln())


@pytest.mark.parametrize("scores", [1.0, 1600.0])
@pytest.mark.parametrize("size", [0.0, 1.0, 30.0, 300.0])
def test_log_excess_keeps_every_digit(size, scores):
    """Up to scores whose exponentials leave the range of floats, where it was NaN or e^207 too large."""
    data = draw()
    W = size * np.outer(data.v, data.Z.T @ np.linalg.solve(data.Z @ data.Z.T, data.Y))
    data = att.TokenData(data.X, data.Z, data.Y, scores * data.v)
    assert att.log_excess(data, W) == pytest.approx(exact_log_excess(data, W), rel=1e-12)
    gradient = LogExcess(data)(W)[1]
    step = 1e-6 * gradient / np.linalg.norm(gradient)
    rise = LogExcess(data)(W + step)[0] - LogExcess(data)(W - step)[0]
    assert rise / 2e-6 == pytest.approx(np.linalg.norm(gradient), rel=1e-4)


def test_log_excess_is_the_logarithm_of_the_excess():
    data = draw(batch=(2, 3))
    W = np.random.default_rng(1).normal(size=(2, 3, 3, 3))
    for loss in (att.LOGISTIC, att.CORRELATION):
        infimum = loss.value(data.scores.max(axis=-1)).mean(axis=-1)
        expected = np.log(att.training_loss(data, W, loss=loss) - infimum)
        assert_allclose(att.log_excess(data, W, loss=loss), expected, rtol=1e-10)
