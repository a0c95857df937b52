"""`SVMClassifier` by scikit-learn's own checks, and its predictions against libsvm's."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_moons
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from margins import kernels
from margins.estimators import SVMClassifier

TRUNCATED = {"check_estimators_dtypes": "truncates a Gram matrix to integers, which makes it indefinite"}


def moons(n=120, seed=0, dtype=np.float64):
    X, y = make_moons(n, noise=0.25, random_state=seed)
    return X.astype(dtype), y


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


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"kernel": "linear"}, {"kernel": "linear"}),
        ({"kernel": "gaussian", "gamma": 2.0}, {"kernel": "rbf", "gamma": 2.0}),
        (
            {"kernel": "polynomial", "degree": 2, "gamma": 0.5, "coef0": 1.0},
            {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0},
        ),
    ],
)
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_decisions_of_libsvm(ours, theirs, C):
    X, y = moons()
    fresh = moons(seed=1)[0]
    machine, peer = SVMClassifier(C=C, **ours).fit(X, y), SVC(C=C, tol=1e-10, **theirs).fit(X, y)
    np.testing.assert_allclose(machine.decision_function(fresh), peer.decision_function(fresh), atol=1e-4)
    assert machine.intercept_ == pytest.approx(peer.intercept_[0], abs=1e-4)


@pytest.mark.parametrize("name", ["laplacian", "exponential"])
def test_kernels_libsvm_does_not_know(name):
    X, y = moons()
    kernel = getattr(kernels, name)
    machine = SVMClassifier(C=2.0, kernel=name, gamma=0.7).fit(X, y)
    peer = SVC(C=2.0, kernel="precomputed", tol=1e-10).fit(kernel(X, gamma=0.7), y)
    expected = peer.decision_function(kernel(X, gamma=0.7))
    np.testing.assert_allclose(machine.decision_function(X), expected, atol=1e-4)


def test_fitted_attributes():
    X, y = moons()
    machine = SVMClassifier(C=1.0, kernel="gaussian").fit(X, y)
    signs, K = 2.0 * y - 1, kernels.gaussian(X, gamma=1.0)
    assert machine.alpha_.shape == (len(y),)
    np.testing.assert_array_equal(machine.support_, np.flatnonzero(machine.alpha_))
    np.testing.assert_allclose(machine.dual_coef_, (machine.alpha_ * signs)[None, machine.support_])
    scores = K @ (machine.alpha_ * signs) + machine.intercept_
    np.testing.assert_allclose(machine.decision_function(X), scores, atol=1e-12)
    squared_norm = (machine.alpha_ * signs) @ K @ (machine.alpha_ * signs)
    assert machine.margin_ == pytest.approx(1 / np.sqrt(squared_norm))
    assert machine.dual_objective_ == pytest.approx(machine.alpha_.sum() - squared_norm / 2)
    assert machine.primal_objective_ == pytest.approx(machine.dual_objective_, rel=1e-8)
    np.testing.assert_array_equal(machine.predict(X), scores > 0)


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


def test_single_precision_stays_single_in_the_kernel():
    X, y = moons(dtype=np.float32)
    seen = []

    def kernel(A, B):
        seen.append(A.dtype)
        return kernels.gaussian(A, B)

    machine = SVMClassifier(kernel=kernel).fit(X, y)
    assert seen == [np.float32]
    double = SVMClassifier(kernel="gaussian").fit(X.astype(float), y)
    np.testing.assert_allclose(machine.decision_function(X), double.decision_function(X), atol=1e-4)


def test_hard_margin():
    X, y = np.array([[0.0, 0], [1, 1], [3, 3], [4, 5]]), np.array(["no", "no", "yes", "yes"])
    machine = SVMClassifier(C=np.inf).fit(X, y)
    assert machine.margin_ == pytest.approx(np.sqrt(2))
    np.testing.assert_array_equal(machine.support_, [1, 2])
    np.testing.assert_array_equal(machine.predict(X), y)
    assert machine.classes_.tolist() == ["no", "yes"]


def test_unseparable_hard_margin_is_refused():
    X, y = moons()
    with pytest.raises(ValueError, match="C = inf asks for a hard margin, but the classes are not separable"):
        SVMClassifier(C=np.inf).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"C": 0}, "C must be a number > 0 or inf, but 0 came"),
        ({"kernel": "cubic"}, "kernel must be one of 'linear', 'polynomial'"),
        ({"kernel": "gaussian", "gamma": -1}, "gamma must be a number > 0"),
        ({"kernel": "rbf", "gamma": "loud"}, "gamma must be one of 'scale', 'auto', but 'loud' came"),
        ({"kernel": lambda A, B: -(A @ B.T)}, "K must be positive semi-definite"),
        ({"kernel": lambda A, B: A}, r"K must be \(120, 120\)"),
        ({"kernel": "polynomial", "coef0": -5.0}, "K must be positive semi-definite"),
        ({"tol": 0.0}, "tol must be a number > 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, words):
    X, y = moons()
    with pytest.raises(ValueError, match=words):
        SVMClassifier(**parameters).fit(X, y)


@pytest.mark.parametrize(("labels", "words"), [([0] * 120, "one class"), ([0, 1, 2] * 40, "Only binary")])
def test_two_classes_are_needed(labels, words):
    with pytest.raises(ValueError, match=words):
        SVMClassifier().fit(moons()[0], labels)


def test_several_classes_one_against_one():
    X, y = load_iris(return_X_y=True)
    several = OneVsOneClassifier(SVMClassifier(kernel="rbf", gamma="scale")).fit(X, y)
    assert (several.predict(X) == SVC().fit(X, y).predict(X)).mean() > 0.98
    with pytest.raises(TypeError, match="sample_weight"):
        SVMClassifier().fit(X, y > 0, sample_weight=np.ones(len(y)))


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


@pytest.mark.parametrize(("name", "ours"), [("rbf", "gaussian"), ("poly", "polynomial")])
def test_other_names_lead_to_the_same_solver(name, ours):
    X, y = moons(1200)
    machines = [SVMClassifier(kernel=kernel, degree=2, coef0=1.0).fit(X, y) for kernel in (name, ours)]
    np.testing.assert_array_equal(machines[0].alpha_, machines[1].alpha_)


def test_a_constant_has_a_scale():
    machine = SVMClassifier(gamma="scale", kernel="rbf").fit(np.ones((4, 2)), [0, 1, 0, 1])
    assert machine.gamma_ == SVC().fit(np.ones((4, 2)), [0, 1, 0, 1])._gamma == 1.0


def test_clone_and_pickle():
    X, y = moons()
    machine = SVMClassifier(C=3.0, kernel="gaussian", gamma=0.5).fit(X, y)
    assert clone(machine).get_params() == machine.get_params()
    thawed = pickle.loads(pickle.dumps(machine))
    np.testing.assert_array_equal(thawed.decision_function(X), machine.decision_function(X))


def test_pipeline_and_grid_search():
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:200], y[:200]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SVMClassifier(kernel="gaussian", gamma=0.03)),
        {"svmclassifier__C": [0.01, 1.0, 10.0]},
        cv=3,
    ).fit(X, y)
    assert search.best_params_["svmclassifier__C"] > 0.01
    assert search.best_score_ > 0.93


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
    monkeypatch.setattr("margins.estimators.svm.TILE", 7 * len(machine.support_))
    np.testing.assert_allclose(machine.decision_function(X), whole, atol=1e-13)
    np.testing.assert_array_equal(machine.predict(X[:3]), machine.predict(X)[:3])
