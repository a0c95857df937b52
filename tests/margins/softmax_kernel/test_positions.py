"""Positional encodings as factors of the kernel."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import softmax_kernel
from tests.margins.draws import normal


def test_sinusoidal_encodings_meet_in_the_offset_alone():
    s = np.array([-3.5, 0.0, 2.0, 100.25])
    P = softmax_kernel.sinusoidal(s, 8)
    frequencies = 1e4 ** (-np.arange(0, 8, 2) / 8)
    expected = np.cos(np.subtract.outer(s, s)[..., None] * frequencies).sum(-1)
    assert_allclose(P @ P.T, expected, atol=1e-12)
    assert_allclose(P[:, 2], np.sin(frequencies[1] * s))


def test_rotation_is_the_complex_product():
    X, s = normal(6, 8), np.arange(6) * 1.5
    turned = (X[:, ::2] + 1j * X[:, 1::2]) * np.exp(1j * np.outer(s, 50.0 ** (-np.arange(0, 8, 2) / 8)))
    got = softmax_kernel.rotate(X, s, base=50.0)
    assert_allclose(got[:, ::2] + 1j * got[:, 1::2], turned, atol=1e-13)
    assert softmax_kernel.rotate(X.astype(np.float32), s).dtype == np.float32


def test_additive_factors_are_content_then_mixed_then_position():
    X, P = normal(4, 3), normal(4, 3, seed=1)
    products = [X @ X.T, X @ P.T, P @ X.T, P @ P.T]
    assert_allclose(softmax_kernel.additive_factors(X, P, scale=0.5), np.exp(0.5 * np.array(products)))


def test_relative_bias_reads_its_table_and_clips():
    table = [-2.0, -1.0, 0.0, 0.5, 0.7]  # b(-2), ..., b(2)
    factor = softmax_kernel.relative_bias([0, 1, 5], table)
    expected = np.exp([[0.0, -1.0, -2.0], [0.5, 0.0, -2.0], [0.7, 0.7, 0.0]])
    assert_allclose(factor, expected)


def test_factor_verdict_of_an_indefinite_factor_holds_its_witness():
    factor = softmax_kernel.relative_bias(np.arange(10), [0.0, 1.0, 1.0, 1.0, 0.0])
    verdict = softmax_kernel.factor_verdict(factor)
    assert verdict.symmetric
    assert not verdict.safe_for_every_content
    u = verdict.witness
    assert_allclose(u @ factor @ u, verdict.smallest_eigenvalue, rtol=1e-10)


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_a_factor_is_symmetric_up_to_rounding_at_any_size(size):
    factor = size * softmax_kernel.alibi(np.arange(4), slope=0.5)
    blurred = factor * (1 + np.triu(np.full((4, 4), 4e-15), 1))
    assert softmax_kernel.factor_verdict(blurred).symmetric
    assert not softmax_kernel.factor_verdict(factor * (1 + 1e-9 * np.triu(np.ones((4, 4)), 1))).symmetric
