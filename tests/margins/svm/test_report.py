"""The optimality report: its groups and residuals on solutions known by hand, and its table."""

import dataclasses

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian

LINE = np.array([[-2.0], [-1], [1], [3]])
LABELS = np.array([-1.0, -1, 1, 1])


def test_groups_and_residuals_of_an_optimum():
    """x = -1 and 1 carry the margin of the line, alpha = 1/2 each; the outer points are idle."""
    report = svm.kkt_report(LINE @ LINE.T, LABELS, [0, 0.5, 0.5, 0], 0.0)
    assert report.group.tolist() == ["alpha = 0", "free", "free", "alpha = 0"]
    np.testing.assert_allclose(report.margins, [2, 1, 1, 3])
    np.testing.assert_allclose(report.slack, 0)
    residuals = (
        report.primal_infeasibility,
        report.dual_infeasibility,
        report.complementarity,
        report.violation,
    )
    assert max(residuals) < 1e-15
    assert report.gap == pytest.approx(0, abs=1e-15)


def test_each_residual_reports_its_own_fault():
    K = LINE @ LINE.T
    shifted = svm.kkt_report(K, LABELS, [0, 0.5, 0.5, 0], 0.25)
    assert shifted.primal_infeasibility == pytest.approx(0.25)
    assert shifted.violation == pytest.approx(0.25)
    assert shifted.complementarity == pytest.approx(0.125)
    unbalanced = svm.kkt_report(K, LABELS, [0, 0.5, 0.75, 0], 0.0)
    assert unbalanced.dual_infeasibility == pytest.approx(0.25)
    other_way = svm.kkt_report(K, LABELS, [0, 0.75, 0.5, 0], 0.0)
    assert other_way.dual_infeasibility == pytest.approx(0.25)
    negative = svm.kkt_report(K, LABELS, [-0.5, 0.5, 0, 0], 0.0)
    assert negative.dual_infeasibility == pytest.approx(0.5)
    above = svm.kkt_report(K, LABELS, [0, 0.5, 0.5, 0], 0.0, C=0.4)
    assert above.dual_infeasibility == pytest.approx(0.1)


def test_soft_margin_groups():
    """Two points with C = 0.3: both at C, f = 0.6 x, slack 0.4 each, and any |b| <= 0.4 will do."""
    K, y = np.array([[1.0, -1], [-1, 1]]), np.array([1.0, -1])
    report = svm.kkt_report(K, y, [0.3, 0.3], 0.4, C=0.3)
    assert report.group.tolist() == ["alpha = C", "alpha = C"]
    np.testing.assert_allclose(report.slack, [0, 0.8], atol=1e-12)
    assert report.violation < 1e-12
    assert report.gap == pytest.approx(0, abs=1e-12)
    assert svm.kkt_report(K, y, [0.3, 0.3], 0.5, C=0.3).violation == pytest.approx(0.1)


def test_table_shows_every_point_and_residual():
    text = str(svm.kkt_report(LINE @ LINE.T, LABELS, [0, 0.5, 0.5, 0], 0.0))
    lines = text.splitlines()
    assert lines[0].split() == ["point", "alpha", "y", "f(x)", "slack", "group"]
    assert lines[2].split() == ["1", "0.5", "1", "0", "free"]
    assert "2 with alpha = 0, 2 free, 0 with alpha = C; b = 0, C = inf" in text
    assert "gap < 1e-12" in text  # rounding is not printed: it differs from machine to machine
    assert all(word in text for word in ("primal infeasibility", "dual infeasibility", "complementarity"))


def test_long_tables_are_shortened():
    X = np.linspace(-3, 3, 100)[:, None]
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    solution = svm.smo(X @ X.T, y)
    text = str(svm.kkt_report(X @ X.T, y, solution.alpha, solution.b))
    assert "... 60 more points ..." in text
    assert len(text.splitlines()) == 46


def test_what_counts_as_zero_may_be_said():
    """By default a hundred-millionth of the largest multiplier; 0 takes every multiplier at its word."""
    y, alpha = np.array([1.0, -1.0, 1.0, -1.0]), np.array([1.0, 1.0, 1e-6, 1e-10])
    groups = [
        svm.kkt_report(np.eye(4), y, alpha, 0.0, **tolerance).group for tolerance in ({}, {"bound_tol": 0})
    ]
    assert groups[0].tolist() == ["free", "free", "free", "alpha = 0"]
    assert groups[1].tolist() == ["free"] * 4


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


def test_a_free_point_may_not_exceed_its_margin():
    """At w = 1.2 the free points -1 and 1 are .2 too far from the line."""
    x, y = np.array([-1.0, 1.0]), np.array([-1.0, 1.0])
    report = svm.kkt_report(np.outer(x, x), y, [0.6, 0.6], 0.0, C=1.0)
    assert report.group.tolist() == ["free", "free"]
    assert report.violation == pytest.approx(0.2)


def test_a_multiplier_within_rounding_of_a_bound_lies_there():
    K, y = np.array([[1.0, -1], [-1, 1]]), np.array([1.0, -1])
    assert svm.kkt_report(K, y, [0.3 - 1e-12, 0.3 - 1e-12], 0.0, C=0.3).group.tolist() == ["alpha = C"] * 2
    line = svm.kkt_report(LINE @ LINE.T, LABELS, [1e-12, 0.5, 0.5, 1e-12], 0.0)
    assert line.group.tolist() == ["alpha = 0", "free", "free", "alpha = 0"]


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
