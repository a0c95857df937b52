"""`SVMClassifier` by scikit-learn's own checks, and its predictions against libsvm's."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from margins import kernels
from margins.estimators import SVMClassifier

TRUNCATED = {"check_estimators_dtypes": "truncates a Gram matrix to integers, which makes it indefinite"}


def moons(n=120, seed=0):
    return make_moons(n, noise=0.25, random_state=seed)


@pytest.mark.parametrize(
    ("parameters", "expected_failures"),
    [
        ({}, {}),
        ({"kernel": "gaussian"}, {}),
        ({"kernel": "laplacian"}, {}),
        ({"kernel": "polynomial", "degree": 2, "gamma": 0.01, "coef0": 1.0}, {}),
        ({"kernel": "precomputed"}, TRUNCATED),
    ],
)
def test_scikit_learn_checks(parameters, expected_failures):
    report = check_estimator(
        SVMClassifier(**parameters), expected_failed_checks=expected_failures, on_skip=None
    )
    assert len([check for check in report if check["status"] == "passed"]) > 45


@pytest.mark.parametrize("name", ["laplacian", "exponential"])
def test_kernels_libsvm_does_not_know(name):
    X, y = moons()
    kernel = getattr(kernels, name)
    machine = SVMClassifier(C=2.0, kernel=name, gamma=0.7).fit(X, y)
    peer = SVC(C=2.0, kernel="precomputed", tol=1e-10).fit(kernel(X, gamma=0.7), y)
    expected = peer.decision_function(kernel(X, gamma=0.7))
    np.testing.assert_allclose(machine.decision_function(X), expected, atol=1e-4)


def test_precomputed_callable_and_named_agree():
    X, y = moons()
    fresh = moons(seed=1)[0]
    named = SVMClassifier(kernel="gaussian", gamma=2.0).fit(X, y)
    called = SVMClassifier(kernel=lambda A, B: kernels.gaussian(A, B, gamma=2.0)).fit(X, y)
    given = SVMClassifier(kernel="precomputed").fit(kernels.gaussian(X, gamma=2.0), y)
    expected = named.decision_function(fresh)
    np.testing.assert_allclose(called.decision_function(fresh), expected, atol=1e-8)
    cross = kernels.gaussian(fresh, X, gamma=2.0)
    np.testing.assert_allclose(given.decision_function(cross), expected, atol=1e-8)


def test_hard_margin():
    X, y = np.array([[0.0, 0], [1, 1], [3, 3], [4, 5]]), np.array(["no", "no", "yes", "yes"])
    machine = SVMClassifier(C=np.inf).fit(X, y)
    assert machine.margin_ == pytest.approx(np.sqrt(2))
    np.testing.assert_array_equal(machine.support_, [1, 2])
    np.testing.assert_array_equal(machine.predict(X), y)
    assert machine.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize("gamma", ["scale", "auto", 0.7])
@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
def test_names_and_attributes_of_scikit_learn(kernel, gamma):
    """Its parameters mean the same here, and what is fitted has its shape."""
    X, y = moons()
    X = np.column_stack([X, X[:, 0] + 1])
    machine = SVMClassifier(kernel=kernel, gamma=gamma, coef0=0.5).fit(X, y)
    peer = SVC(kernel=kernel, gamma=gamma, coef0=0.5, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(machine.decision_function(X), peer.decision_function(X), atol=1e-4)
    assert machine.gamma_ == pytest.approx(peer._gamma)
    assert machine.n_support_.tolist() == peer.n_support_.tolist()
    assert machine.intercept_.shape == peer.intercept_.shape == (1,)
    np.testing.assert_allclose(machine.intercept_, peer.intercept_, atol=1e-4)
    np.testing.assert_array_equal(machine.support_vectors_.shape, peer.support_vectors_.shape)
    assert machine.n_support_.sum() == machine.dual_coef_.shape[1] == len(machine.support_vectors_)
    assert (machine.dual_coef_.shape, machine.dual_coef_.dtype) == (peer.dual_coef_.shape, np.float64)
    assert hasattr(machine, "coef_") == hasattr(peer, "coef_")
    if kernel == "linear":
        np.testing.assert_allclose(machine.coef_, peer.coef_, atol=1e-5)
    else:
        with pytest.raises(
            AttributeError, match=f"coef_ needs kernel='linear', but the kernel is '{kernel}'"
        ):
            _ = machine.coef_


def test_a_constant_has_a_scale():
    machine = SVMClassifier(gamma="scale", kernel="rbf").fit(np.ones((4, 2)), [0, 1, 0, 1])
    assert machine.gamma_ == SVC().fit(np.ones((4, 2)), [0, 1, 0, 1])._gamma == 1.0


def test_precomputed_gram_is_cut_on_both_sides_in_cross_validation():
    X, y = moons()
    given = cross_val_score(SVMClassifier(kernel="precomputed"), kernels.gaussian(X), y, cv=4)
    named = cross_val_score(SVMClassifier(kernel="gaussian"), X, y, cv=4)
    np.testing.assert_array_equal(given, named)


@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_predictions_tile_by_tile(kernel, monkeypatch):
    X, y = moons()
    machine = SVMClassifier(kernel=kernel).fit(X, y)
    whole = machine.decision_function(X)
    # tiles of 7 rows, so that 120 points take several; 4 million entries are more than a test should make
    monkeypatch.setattr("margins.estimators.svm.TILE", 7 * len(machine.support_))
    made, gram = [], SVMClassifier._gram
    monkeypatch.setattr(SVMClassifier, "_gram", lambda self, X, Y: made.append(len(X)) or gram(self, X, Y))
    np.testing.assert_allclose(machine.decision_function(X), whole, atol=1e-13)
    assert made == [7] * 17 + [1]
    np.testing.assert_array_equal(machine.predict(X[:3]), machine.predict(X)[:3])


@pytest.mark.parametrize("n", [90, 600, 1200])
@pytest.mark.parametrize(("kernel", "peer"), [("linear", "linear"), ("gaussian", "rbf")])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_weights_of_samples_are_those_of_libsvm(n, kernel, peer, C):
    """By every solver: pair steps, the factor, rows that are made on demand. Every seventh weight is 0."""
    (X, y), weight = moons(n), np.random.default_rng(0).exponential(size=n)
    weight[::7] = 0
    ours = SVMClassifier(C=C, kernel=kernel, gamma=1.5).fit(X, y, weight)
    theirs = SVC(C=C, kernel=peer, gamma=1.5, tol=1e-9).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert (ours.alpha_ <= C * weight).all()
    signs, beta, kept = 2 * y - 1, np.zeros(n), np.flatnonzero(weight)
    beta[kept[theirs.support_]] = theirs.dual_coef_[0]  # libsvm counts the points that have a weight
    K = kernels.linear(X) if kernel == "linear" else kernels.gaussian(X, gamma=1.5)
    value = beta @ signs - beta @ K @ beta / 2
    assert value == pytest.approx(ours.dual_objective_, rel=1e-6)
    assert ours.primal_objective_ == pytest.approx(ours.dual_objective_, rel=1e-8)


def test_points_of_weight_zero_are_left_out_of_a_hard_margin():
    X, y = np.array([[0.0], [1.0], [2.0], [9.0]]), np.array([0, 0, 1, 0])
    machine = SVMClassifier(C=np.inf).fit(X, y, [1.0, 2.0, 3.0, 0.0])
    assert machine.margin_ == pytest.approx(0.5)
    np.testing.assert_array_equal(machine.support_, [1, 2])
    assert machine.alpha_.shape == (4,)


class ChosenError(Exception):
    """Raised by the solver that the classifier chose."""


@pytest.mark.parametrize(
    ("kernel", "C", "n", "d", "solver"),
    [
        ("linear", 1.0, 800, 100, "linear_svm"),
        ("linear", 1.0, 800, 101, "smo"),
        ("linear", 1.0, 499, 6, "smo"),
        ("linear", np.inf, 800, 6, "smo"),
        ("gaussian", 1.0, 1000, 2, "gaussian_svm"),
        ("gaussian", 1.0, 999, 2, "smo"),
        ("gaussian", np.inf, 1000, 2, "smo"),
        ("laplacian", 1.0, 1000, 2, "smo"),
    ],
)
def test_the_solver_suits_the_kernel_and_the_size(kernel, C, n, d, solver, monkeypatch):
    def chosen(*_, **__):
        raise ChosenError

    monkeypatch.setattr(f"margins.estimators.svm.{solver}", chosen)
    with pytest.raises(ChosenError):
        SVMClassifier(C=C, kernel=kernel).fit(np.arange(n * d).reshape(n, d), np.arange(n) % 2)
