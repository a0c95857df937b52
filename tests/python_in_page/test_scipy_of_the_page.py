"""The stand-in for SciPy against SciPy, function by function, on problems that hypothesis draws."""

import importlib
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg.lapack
import scipy.optimize
import scipy.spatial
import scipy.special
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

FOLDER = Path(__file__).parents[2] / "book/python_in_page/stand_ins/scipy"
NAME = "scipy_of_the_page"  # beside SciPy itself
spec = spec_from_file_location(NAME, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)])
sys.modules[NAME] = module_from_spec(spec)
spec.loader.exec_module(sys.modules[NAME])
parts = ("optimize", "linalg", "linalg.lapack", "spatial", "special", "stats")
optimize, linalg, lapack, spatial, special, stats = (importlib.import_module(f"{NAME}.{p}") for p in parts)
seeds = st.integers(0, 2**32 - 1)
drawn = settings(max_examples=60, deadline=None, derandomize=True)


@drawn
@given(seeds, st.integers(1, 24), st.integers(1, 24), st.sampled_from(["any", "positive", "twins"]))
def test_nnls_leaves_the_least_residual(seed, m, n, kind):
    rng = np.random.default_rng(seed)
    A, b = rng.normal(size=(m, n)), rng.normal(size=m)
    if kind == "positive":
        A = np.abs(A)
    if kind == "twins":
        A[:, 0] = A[:, -1]
    x, residual = optimize.nnls(A, b)
    assert (x >= 0).all()
    assert np.linalg.norm(A @ x - b) == pytest.approx(residual, abs=1e-12)
    assert residual == pytest.approx(scipy.optimize.nnls(A, b, maxiter=100 * n)[1], abs=1e-8)


@drawn
@given(seeds, *[st.integers(1, 7)] * 3, st.sampled_from([(0, None), (None, None)]), st.booleans())
def test_linprog_finds_the_least_cost_or_says_why_not(seed, m, n, k, bounds, is_feasible):
    rng = np.random.default_rng(seed)
    n += k
    A, E, c = rng.normal(size=(m, n)), rng.normal(size=(k, n)), rng.normal(size=n)
    inside = np.abs(rng.normal(size=n))
    b = A @ inside + np.abs(rng.normal(size=m)) if is_feasible else rng.normal(size=m)
    got = optimize.linprog(c, A, b, E, E @ inside, bounds)
    expected = scipy.optimize.linprog(c, A, b, E, E @ inside, bounds)
    if expected.status not in (0, 2, 3):
        return  # "unbounded or infeasible": SciPy leaves it open
    assert got.status == expected.status
    assert got.success == expected.success
    if got.success:
        assert got.fun == pytest.approx(expected.fun, rel=1e-7, abs=1e-7)
        assert (A @ got.x <= b + 1e-7).all()
        assert_allclose(got.ineqlin.residual, b - A @ got.x, atol=1e-7)
        assert_allclose(got.ineqlin.marginals, expected.ineqlin.marginals, atol=1e-7)


def rosen(x):
    return scipy.optimize.rosen(x), scipy.optimize.rosen_der(x)


@drawn
@given(seeds, st.integers(2, 12), st.sampled_from([None, (-0.5, 0.7), (0.2, None)]))
def test_minimize_ends_in_a_stationary_point_as_low_as_scipy_s(seed, d, box):
    start = np.random.default_rng(seed).normal(size=d)
    bounds = None if box is None else [(low, np.inf if high is None else high) for low, high in [box] * d]
    options = {"maxiter": 5000, "maxfun": 20000, "maxcor": 50, "ftol": 1e-16, "gtol": 1e-8}
    ask = {"jac": True, "method": "L-BFGS-B", "bounds": bounds, "options": options}
    got, expected = optimize.minimize(rosen, start, **ask), scipy.optimize.minimize(rosen, start, **ask)
    low, high = (-np.inf, np.inf) if bounds is None else np.array(bounds).T
    assert np.abs(np.clip(got.x - got.jac, low, high) - got.x).max() < 1e-5
    lowest = 4.0 if d > 3 else 1e-6  # from four variables on there is a second valley, of height about 4
    assert got.fun <= expected.fun + lowest


@pytest.mark.parametrize("jac", [None, scipy.optimize.rosen_der])
def test_minimize_takes_a_gradient_or_finds_differences(jac):
    got = optimize.minimize(lambda x, shift: scipy.optimize.rosen(x - shift), [0.0, 0.0], args=(1.0,))
    assert got.x == pytest.approx([2, 2], abs=1e-3)
    assert optimize.minimize(scipy.optimize.rosen, [0.0, 0.0], jac=jac).x == pytest.approx([1, 1], abs=1e-3)


def test_what_the_stand_in_does_not_know_is_refused():
    with pytest.raises(NotImplementedError, match="method='Powell'"):
        optimize.minimize(rosen, [0.0, 0.0], method="Powell")
    with pytest.raises(ValueError, match="different signs"):
        optimize.brentq(np.cosh, 0, 1)
    assert lapack.dpotrf(-np.eye(2))[1] == 1
    missing = optimize.milp
    with pytest.raises(ModuleNotFoundError, match=r"optimize\.milp is not in the page; open the chapter"):
        missing([1])
    with pytest.raises(AttributeError):
        _ = optimize.__wrapped__


@drawn
@given(st.floats(-5, 5), st.floats(0.01, 3))
def test_brentq_finds_the_root(root, scale):
    def cubic(x):
        return (x - root) * (scale + (x - root) ** 2)

    assert optimize.brentq(cubic, -6, 7) == pytest.approx(root, abs=1e-11)


@drawn
@given(seeds, st.integers(1, 12), st.booleans(), st.sampled_from(["N", "T", 0, 1]))
def test_triangles_and_cholesky_factors(seed, n, lower, trans):
    rng = np.random.default_rng(seed)
    R, b = np.triu(rng.normal(size=(n, n))) + 3 * np.eye(n), rng.normal(size=n)
    R = R.T if lower else R
    got = linalg.solve_triangular(R, b, trans=trans, lower=lower)
    assert got == pytest.approx(scipy.linalg.solve_triangular(R, b, trans=trans, lower=lower), abs=1e-8)
    G = R.T @ R + np.eye(n)
    factor, ours = linalg.cho_factor(G, lower=lower)[0], scipy.linalg.cho_factor(G, lower=lower)[0]
    triangle = np.tril if lower else np.triu
    assert triangle(factor) == pytest.approx(triangle(ours), abs=1e-9)
    assert linalg.cho_solve(linalg.cho_factor(G, lower=lower), b) == pytest.approx(np.linalg.solve(G, b))
    made, failed = lapack.dpotrf(G, lower=int(lower), clean=0)
    assert failed == 0
    assert lapack.dpotrs(made, b, lower=int(lower))[0] == pytest.approx(np.linalg.solve(G, b))


@drawn
@given(seeds, st.integers(3, 30))
def test_hulls_in_the_plane(seed, n):
    points = np.random.default_rng(seed).normal(size=(n, 2))
    got, expected = spatial.ConvexHull(points), scipy.spatial.ConvexHull(points)
    start = list(expected.vertices).index(got.vertices[0])
    assert list(np.roll(expected.vertices, -start)) == list(got.vertices)
    ours, theirs = (sorted(map(tuple, np.round(hull.equations, 9))) for hull in (got, expected))
    assert np.allclose(ours, theirs, atol=1e-8)


@drawn
@given(st.integers(1, 64), st.floats(-20, 30))
def test_kummer_s_function(d, x):
    assert special.hyp1f1(d, d / 2, x) == pytest.approx(scipy.special.hyp1f1(d, d / 2, x), rel=1e-9)


def test_kummer_s_function_takes_arrays():
    x = np.linspace(-3, 3, 7)
    assert special.hyp1f1(4, 2, x) == pytest.approx(scipy.special.hyp1f1(4, 2, x), rel=1e-12)


@drawn
@given(st.integers(1, 300), st.integers(1, 300), st.floats(0.001, 0.999))
def test_quantiles_of_the_beta_distribution(a, b, q):
    quantile = stats.beta.ppf(q, a, b)
    assert quantile == pytest.approx(scipy.stats.beta.ppf(q, a, b), rel=1e-8)
    assert stats.beta.cdf(quantile, a, b) == pytest.approx(q, rel=1e-8)


@drawn
@given(st.integers(1, 400), st.floats(0.001, 0.999))
def test_quantiles_of_student_s_distribution(df, p):
    assert special.stdtrit(df, p) == pytest.approx(scipy.special.stdtrit(df, p), rel=1e-7, abs=1e-7)


@drawn
@given(st.integers(1, 400), st.floats(0, 1), st.floats(0.01, 0.99))
def test_the_binomial_test_and_its_interval(n, share, p):
    k = round(share * n)
    got, expected = stats.binomtest(k, n, p), scipy.stats.binomtest(k, n, p)
    assert got.pvalue == pytest.approx(expected.pvalue, rel=1e-7)
    assert got.proportion_ci() == pytest.approx(expected.proportion_ci(), abs=1e-9)
    assert got.proportion_ci(0.5, "exact").low == pytest.approx(expected.proportion_ci(0.5).low, abs=1e-9)


@drawn
@given(*[st.integers(0, 60)] * 4)
def test_fisher_s_exact_test(a, b, c, d):
    if min(a + b, c + d, a + c, b + d) == 0:
        return  # SciPy answers 1 or NaN: there is nothing to test
    got, expected = stats.fisher_exact([[a, b], [c, d]]), scipy.stats.fisher_exact([[a, b], [c, d]])
    assert got.pvalue == pytest.approx(expected.pvalue, rel=1e-7)
    assert got.statistic == pytest.approx(expected.statistic)


@drawn
@given(seeds, st.integers(1, 12), st.integers(1, 4))
def test_the_multinomial_distribution(seed, n, kinds):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(kinds))
    counts = rng.multinomial(n, p, size=5)
    counts[0, 0] += 1  # more than n: impossible
    got, expected = stats.multinomial.pmf(counts, n, p), scipy.stats.multinomial.pmf(counts, n, p)
    assert got == pytest.approx(expected, rel=1e-10)
