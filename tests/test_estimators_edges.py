"""Edges of the estimators: what theory does not promise of a kernel is looked at."""

import sys

import numpy as np
import pytest

from margins import kernels
from margins.estimators import SVMClassifier


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
