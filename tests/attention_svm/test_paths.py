"""The excess loss against 500 digits, and regularisation paths against another optimiser and grids."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import NonlinearConstraint, approx_fprime, minimize

from margins.attention_svm import (
    CORRELATION,
    LOGISTIC,
    TokenData,
    paths,
    random_token_data,
    train,
    training_loss,
)
from margins.attention_svm.excess import LogExcess, log_excess
from margins.attention_svm.paths import regularisation_path


def draw(seed=0, batch=(), n=3, T=4, d=3):
    return random_token_data(n, T, d, rng=np.random.default_rng(seed), batch=batch)


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
    data = TokenData(data.X, data.Z, data.Y, scores * data.v)
    assert log_excess(data, W) == pytest.approx(exact_log_excess(data, W), rel=1e-12)
    gradient = LogExcess(data)(W)[1]
    step = 1e-6 * gradient / np.linalg.norm(gradient)
    rise = LogExcess(data)(W + step)[0] - LogExcess(data)(W - step)[0]
    assert rise / 2e-6 == pytest.approx(np.linalg.norm(gradient), rel=1e-4)


def test_log_excess_is_the_logarithm_of_the_excess():
    data = draw(batch=(2, 3))
    W = np.random.default_rng(1).normal(size=(2, 3, 3, 3))
    for loss in (LOGISTIC, CORRELATION):
        infimum = loss.value(data.scores.max(axis=-1)).mean(axis=-1)
        expected = np.log(training_loss(data, W, loss=loss) - infimum)
        assert_allclose(log_excess(data, W, loss=loss), expected, rtol=1e-10)


@pytest.mark.parametrize("loss", [LOGISTIC, CORRELATION], ids=["logistic", "correlation"])
def test_log_excess_gradient_is_that_of_differences(loss):
    data = draw(1)
    mask = np.ones((3, 4), dtype=bool)
    mask[1, 2] = False
    excess = LogExcess(TokenData(data.X, data.Z, data.Y, data.v, mask), loss=loss)
    W = 3 * np.random.default_rng(2).normal(size=(3, 3))
    differences = approx_fprime(W.ravel(), lambda w: excess(w.reshape(3, 3))[0], 1e-7)
    assert_allclose(excess(W)[1].ravel(), differences, atol=1e-6)


def best_by_another_optimiser(objective, size, radius, rng):
    """The least value over a ball by SLSQP from many points."""
    ball = NonlinearConstraint(lambda p: p @ p, 0, radius**2)
    runs = [
        minimize(objective, radius * rng.normal(size=size), method="SLSQP", constraints=ball, tol=1e-12)
        for _ in range(12)
    ]
    return min(run.fun for run in runs if run.success)


@pytest.mark.parametrize("seed", [0, 1])
def test_path_is_that_of_another_optimiser(seed):
    data, rng = draw(seed, n=2, T=3, d=2), np.random.default_rng(seed)
    excess = LogExcess(data)
    path = regularisation_path(data, [0.5, 2.0, 8.0], rng=rng)
    for R, found in zip(path.radii, path.log_excess, strict=True):
        other = best_by_another_optimiser(lambda p: excess(p.reshape(2, 2))[0], 4, R, rng)
        assert found == pytest.approx(other, abs=1e-6)
    path = regularisation_path(data, [0.5, 8.0], rng=rng, width=1)
    for R, found in zip(path.radii, path.log_excess, strict=True):
        other = best_by_another_optimiser(lambda p: excess(np.outer(p[:2], p[2:]))[0], 4, np.sqrt(2 * R), rng)
        assert found == pytest.approx(other, abs=1e-6)


def test_path_stays_within_its_norm():
    data = draw()
    rng = np.random.default_rng(0)
    radii = [1.0, 10.0, 100.0]
    path = regularisation_path(data, radii, rng=rng)
    assert_allclose(np.linalg.norm(path.W, axis=(1, 2)), radii)
    assert_allclose(path.log_excess, [log_excess(data, W) for W in path.W])
    path = regularisation_path(data, radii, rng=rng, width=3)
    assert_allclose((path.K**2).sum((1, 2)) + (path.Q**2).sum((1, 2)), 2 * np.array(radii))
    assert_allclose(np.linalg.norm(path.W, "nuc", axis=(1, 2)), radii, rtol=1e-6)
    assert set(path.status) == {"boundary"}


def test_path_widens_what_fewer_columns_reach():
    """More columns can only lower the loss, and d of them allow every matrix of the nuclear ball."""
    data = draw(3)
    values = [
        regularisation_path(data, [5.0, 50.0], rng=np.random.default_rng(0), width=m).log_excess
        for m in (1, 2, 3)
    ]
    assert (np.diff(values, axis=0) < 1e-6).all()


def test_path_of_an_infeasible_choice_ends_inside():
    """Two equal queries that want opposite tokens leave a finite best W, the one that plain descent finds."""
    X = np.array([[[1.0], [-1.0], [0.3]], [[1.0], [-1.0], [-0.5]]])
    data = TokenData(X, np.ones((2, 1)), np.array([1.0, -1.0]), np.ones(1))
    path = regularisation_path(data, [0.01, 50.0], rng=np.random.default_rng(0))
    assert path.status.tolist() == ["boundary", "interior"]
    trained = train(data, iterations=5000, normalised=False, step=1.0)
    assert_allclose(path.W[1], trained.W[-1], atol=1e-6)


def test_ties_among_the_best_tokens_cost_nothing():
    """With two equal best tokens, mass may lie on either: only the third is a loss."""
    X = np.array([[[1.0, 1.0], [1.0, -1.0], [-1.0, 0.0]]])
    data = TokenData(X, np.array([[1.0, 0.0]]), np.ones(1), np.array([1.0, 0.0]))
    path = regularisation_path(data, [30.0], rng=np.random.default_rng(0))
    assert path.log_excess[0] < -55
    assert abs(path.W[0] @ data.Z[0])[0] > 25


def test_paths_are_reproducible():
    data = draw(4)
    first, again = (regularisation_path(data, [3.0], rng=np.random.default_rng(7), width=2) for _ in range(2))
    assert_array_equal(first.W, again.W)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"radii": [0.0, 1.0]}, "radii must be positive and increasing"),
        ({"radii": [-1.0]}, "radii must be positive and increasing"),
        ({"radii": [2.0, 1.0]}, "radii must be positive and increasing"),
        ({"radii": [1.0, np.nan]}, "radii contains NaN"),
        ({"radii": 3.0}, "radii must have 1 axis"),
        ({"width": 0}, "width must be an integer >= 1, but 0 came"),
        ({"starts": 0}, "starts must be an integer >= 1"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ValueError, match=message):
        regularisation_path(draw(), **({"radii": [1.0], "rng": np.random.default_rng(0)} | arguments))


def test_a_search_that_ends_too_early_is_confessed(monkeypatch):
    """A function that falls along the sphere everywhere, and a search that does not move."""
    monkeypatch.setattr(paths, "_search_sphere", lambda function, ball, theta: theta)
    gradient = np.array([[0.0, 1.0], [0.0, 0.0]])
    with pytest.warns(RuntimeWarning, match="a search stopped early"):
        _, status = paths._polished(lambda theta: (0.0, gradient), 1.0, np.diag([1.0, 0.0]))
    assert status == "inaccurate"


def test_queries_of_zero_need_no_smaller_radii():
    data = draw()
    with np.errstate(all="raise"):
        assert paths._ladder(np.array([2.0]), TokenData(data.X, 0 * data.Z, data.Y, data.v)) == [2.0]


def test_refuses_several_sets_and_scores_without_a_choice():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"data must be one set, but its leading axes are \(2,\)"):
        regularisation_path(draw(batch=2), [1.0], rng=rng)
    data = draw()
    flat = TokenData(np.repeat(data.X[:, :1], 4, axis=1), data.Z, data.Y, data.v)
    with pytest.raises(ValueError, match="all tokens have equal scores in every sequence"):
        regularisation_path(flat, [1.0], rng=rng)
