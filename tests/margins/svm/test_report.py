"""The optimality report: its groups and residuals on solutions known by hand, and its table."""

import dataclasses

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian

LINE = np.array([[-2.0], [-1], [1], [3]])
LABELS = np.array([-1.0, -1, 1, 1])


@pytest.mark.parametrize(
    ("alpha", "b", "C", "faults"),
    [
        (
            [0, 0.5, 0.5, 0],
            0.25,
            np.inf,
            {"primal_infeasibility": 0.25, "violation": 0.25, "complementarity": 0.125},
        ),
        ([0, 0.5, 0.75, 0], 0.0, np.inf, {"dual_infeasibility": 0.25}),
        ([0, 0.75, 0.5, 0], 0.0, np.inf, {"dual_infeasibility": 0.25}),
        ([-0.5, 0.5, 0, 0], 0.0, np.inf, {"dual_infeasibility": 0.5}),
        ([0, 0.5, 0.5, 0], 0.0, 0.4, {"dual_infeasibility": 0.1}),
        ([0, 0.6, 0.6, 0], 0.0, 1.0, {"violation": 0.2}),  # free points may not exceed their margins
    ],
)
def test_each_residual_reports_its_own_fault(alpha, b, C, faults):
    report = svm.kkt_report(LINE @ LINE.T, LABELS, alpha, b, C)
    assert {name: getattr(report, name) for name in faults} == pytest.approx(faults)


def test_soft_margin_groups():
    """Two points with C = 0.3: both at C, f = 0.6 x, slack 0.4 each, and any |b| <= 0.4 will do."""
    K, y = np.array([[1.0, -1], [-1, 1]]), np.array([1.0, -1])
    report = svm.kkt_report(K, y, [0.3, 0.3], 0.4, C=0.3)
    assert report.group.tolist() == ["alpha = C", "alpha = C"]
    np.testing.assert_allclose(report.slack, [0, 0.8], atol=1e-12)
    assert report.violation < 1e-12
    assert report.gap == pytest.approx(0, abs=1e-12)
    assert svm.kkt_report(K, y, [0.3, 0.3], 0.5, C=0.3).violation == pytest.approx(0.1)


def test_long_tables_are_shortened():
    X = np.linspace(-3, 3, 100)[:, None]
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    solution = svm.smo(X @ X.T, y)
    text = str(svm.kkt_report(X @ X.T, y, solution.alpha, solution.b))
    assert "... 60 more points ..." in text
    assert len(text.splitlines()) == 46


@pytest.mark.parametrize(
    ("alpha", "options", "groups"),
    [
        ([1.0, 1.0, 1e-6, 1e-10], {}, ["free", "free", "free", "alpha = 0"]),
        ([1.0, 1.0, 1e-6, 1e-10], {"bound_tol": 0}, ["free"] * 4),
        ([0.3 - 1e-12, 0.3, 1e-12, 1e-10], {"C": 0.3}, ["alpha = C"] * 2 + ["alpha = 0"] * 2),
    ],
)
def test_what_counts_as_a_bound_may_be_said(alpha, options, groups):
    """By default a hundred-millionth of the largest multiplier; 0 takes every multiplier at its word."""
    report = svm.kkt_report(np.eye(4), LABELS[[2, 0, 3, 1]], alpha, 0.0, **options)
    assert report.group.tolist() == groups


@pytest.mark.parametrize("alpha", [[0.0, 0.0, 0.2, 0.2], [0.1, 0.0, 0.0, 0.1]])
def test_complementarity_counts_both_kinds_of_products(alpha):
    """alpha (m - 1 + slack) where a point has room, (C - alpha) slack where it has slack."""
    x, y, alpha = np.array([-2.0, -1, 1, 3]), np.array([-1.0, -1, 1, 1]), np.array(alpha)
    report = svm.kkt_report(np.outer(x, x), y, alpha, 0.1, C=0.5)
    margins = y * (x * ((alpha * y) @ x) + 0.1)
    slack = np.maximum(0, 1 - margins)
    products = [np.abs(alpha * (margins - 1 + slack)), np.abs((0.5 - alpha) * slack)]
    assert report.complementarity == pytest.approx(np.max(products))
    np.testing.assert_allclose(report.slack, slack)


def test_the_report_takes_a_solution():
    K = gaussian(LINE)
    for C in (2.0, np.inf):
        solution = svm.smo(K, LABELS, C)
        report = svm.kkt_report(K, LABELS, solution)
        spelt = svm.kkt_report(K, LABELS, solution.alpha, solution.b, C)
        for field in dataclasses.fields(report):
            assert np.all(getattr(report, field.name) == getattr(spelt, field.name))
    shifted = svm.kkt_report(K, LABELS, solution, solution.b + 0.5)
    assert shifted.violation == pytest.approx(0.5)
