"""Edges of the estimators: what theory does not promise of a kernel is looked at."""

import sys

import numpy as np
import pytest

from margins import kernels, svm
from margins.estimators import SVMClassifier
from margins.svm import grams


@pytest.mark.parametrize(
    ("kernel", "checked"),
    [
        ("linear", False),
        ("polynomial", False),
        ("gaussian", False),
        ("callable", True),
        ("precomputed", True),
    ],
)
def test_kernels_of_theory_are_not_examined_and_all_others_are(kernel, checked, monkeypatch):
    asked = []
    module = sys.modules["margins.svm.smo"]  # by its name the package has the function
    monkeypatch.setattr(module, "require_psd", lambda K, **_: asked.append(K))
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    chosen = kernels.linear if kernel == "callable" else kernel
    SVMClassifier(kernel=chosen).fit(X @ X.T if kernel == "precomputed" else X, y)
    assert bool(asked) == checked


def test_a_polynomial_with_a_negative_constant_is_examined():
    X, y = np.array([[0.1], [0.2], [1.0], [1.1]]), [0, 1, 0, 1]
    with pytest.raises(ValueError, match="K must be positive semi-definite"):
        SVMClassifier(kernel="polynomial", degree=3, coef0=-2.0).fit(X, y)


def labelled(n, d, seed=0):
    """Points on either side of a line, some on the wrong one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.sign(X[:, 0] + 0.3 * rng.normal(size=n))


def noted(monkeypatch, solver):
    """A list that grows by the number of points when the classifier calls this solver of `margins.svm`."""
    sizes, original = [], getattr(svm, solver)

    def called(X, *arguments, **parameters):
        sizes.append(len(X))
        return original(X, *arguments, **parameters)

    monkeypatch.setattr(f"margins.estimators.svm.{solver}", called)
    return sizes


def test_gaussian_machines_need_no_matrix_where_that_is_quicker_or_it_would_be_too_large(monkeypatch):
    monkeypatch.setattr("margins.svm.lazy.MOST_STORED", 1100)
    whole, (X, y) = [], labelled(1101, 2)
    monkeypatch.setattr(grams, "gaussian", lambda X, **_: whole.append(len(X)) or kernels.gaussian(X, **_))
    sizes = noted(monkeypatch, "gaussian_svm")
    for rows, C in ((1000, 0.3), (999, 0.3), (1000, 10.0), (1100, 11.0), (1101, 11.0)):
        SVMClassifier(C=C, kernel="gaussian", gamma=2.0, tol=1e-3).fit(X[:rows], y[:rows])
    SVMClassifier(C=0.01, kernel="laplacian", gamma=2.0, tol=1e-3).fit(X, y)
    assert sizes == [1000, 1000, 1100, 1101]
    assert whole == [1100]


def test_linear_machines_of_many_points_with_few_features_have_a_solver_of_their_own(monkeypatch):
    sizes, (X, y) = noted(monkeypatch, "linear_svm"), labelled(800, 101)
    for rows, columns in ((800, 100), (800, 101), (500, 62), (500, 63), (499, 6)):
        SVMClassifier(C=1e-3).fit(X[:rows, :columns], y[:rows])
    with pytest.raises(svm.NotSeparableError):
        SVMClassifier(C=np.inf).fit(X[:, :6], y)
    assert sizes == [800, 500]
