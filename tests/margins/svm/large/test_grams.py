"""Gram matrices in their three forms: entries, products, precision and memory."""

import gc
import weakref

import numpy as np

from margins import kernels, svm
from margins.kernels import gaussian
from margins.svm.large import constants
from margins.svm.large.grams import FactoredGram, GaussianGram, GivenGram
from tests.margins.svm.problems import chequers, clouds


def test_tiles_are_the_matrix():
    X = np.random.default_rng(0).normal(size=(700, 3))
    expected = gaussian(X, gamma=0.3)
    coarse = GaussianGram(X, 0.3)
    beta = np.random.default_rng(1).normal(size=700) * (np.arange(700) % 3 == 0)
    index = np.array([3, 600, 5])
    for gram, error in ((coarse, 1e-5), (coarse.exact, 1e-12), (coarse.in_float64(), 1e-12)):
        assert gram.exact.dtype == np.float64
        np.testing.assert_allclose(gram.full_rows(index), expected[index], atol=error)
        np.testing.assert_allclose(
            gram.block(index, index[:2]), expected[np.ix_(index, index[:2])], atol=error
        )
        np.testing.assert_allclose(gram.product(beta), expected @ beta, atol=300 * error)
        part = gram.restricted(index)
        np.testing.assert_allclose(part.block([0, 1], [2]), expected[np.ix_([3, 600], [5])], atol=error)


def test_rows_are_made_in_batches_and_once(monkeypatch):
    X, y = chequers(200)
    made = []
    full_rows = GaussianGram.full_rows
    monkeypatch.setattr(
        GaussianGram, "full_rows", lambda gram, rows, out: made.extend(rows) or full_rows(gram, rows, out)
    )
    monkeypatch.setattr(constants, "ROW_MEMORY", 50 * 200 * 4)  # of 50 rows, so that 200 take several pieces
    gradients = np.stack([np.where(y > 0, 1.0, -np.inf), np.where(y < 0, -1.0, np.inf)]).astype(np.float32)
    rows = GaussianGram(X, 2.0).rows(gradients)
    np.testing.assert_allclose(rows[7], gaussian(X, gamma=2.0)[7], atol=1e-6)
    assert 7 in made
    assert len(made) == constants.ROW_BATCH
    assert rows[7] is rows[7]
    np.testing.assert_allclose([rows[i] for i in range(200)], gaussian(X, gamma=2.0), atol=1e-6)
    assert sorted(made) == list(range(200))


def test_a_gram_matrix_is_freed_with_its_solution():
    """A cycle of references once kept every matrix until the garbage collector came."""
    X, y = chequers(400)
    K = gaussian(X, gamma=2.0)
    kept = weakref.ref(K)
    gc.disable()
    svm.smo(K, y, 1.0)
    del K
    gc.enable()
    assert kept() is None


def test_points_far_apart_are_climbed_in_double_precision():
    near, far = clouds(20, 2, 1.0)[0], 1e5 * clouds(20, 2, 1.0)[0]
    assert GaussianGram(near, 0.5).dtype == np.float32
    gram = GaussianGram(np.vstack([far, far + 0.3]), 0.5)
    assert gram.dtype == np.float64
    everything = np.arange(40)
    expected = kernels.gaussian(gram.X, gamma=0.5)
    np.testing.assert_allclose(gram.block(everything, everything), expected, atol=1e-9)


def test_a_matrix_by_its_factor_is_the_product():
    F = clouds(30, 4, 0.5)[0]
    factored, given = FactoredGram(F), GivenGram(F @ F.T)
    rows, columns = np.array([2, 7]), np.array([0, 7, 29])
    np.testing.assert_allclose(factored.block(rows, columns), given.block(rows, columns), atol=1e-12)
    np.testing.assert_allclose(factored.product(F[:, 0]), given.product(F[:, 0]), atol=1e-11)
    np.testing.assert_allclose(factored.largest, np.square(F).sum(axis=1).max())
    np.testing.assert_allclose(given.largest, factored.largest)
