"""The logarithm of the excess loss against decimals of many digits."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import attention_svm as att
from margins.attention_svm.excess import LogExcess
from tests.margins.attention_svm.draws import small as draw


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
