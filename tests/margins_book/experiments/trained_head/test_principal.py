"""How near values are to those of principal axes: 1 where they are such values, little where they are not."""

import numpy as np
import pytest

from margins_book.experiments.trained_head.principal import (
    alignments,
    centred,
    of_principal_axes,
    of_same_spectrum,
    on_one_text,
    principal_values,
)

RNG = np.random.default_rng(0)
KEYS = RNG.normal(size=(20, 3))


def test_eigenvectors_are_those_of_the_centred_gram_matrix():
    """Against the singular vectors of features: of the kernel's square root."""
    values, vectors = principal_values(KEYS, 4)
    kappa = np.exp(KEYS @ KEYS.T)
    h = kappa.sum(axis=1)
    features = np.linalg.cholesky(kappa) / h[:, None]
    left, _, _ = np.linalg.svd(features - features.mean(axis=0))
    np.testing.assert_allclose(np.abs(np.sum(left[:, :4] * vectors, axis=0)), 1, atol=1e-9)
    np.testing.assert_allclose(values * h[:, None] / h.min(), vectors, atol=1e-9)


def test_what_each_number_does_not_see():
    u = RNG.normal(size=(20, 3))
    order, turn, mixed = (
        np.eye(3)[[2, 0, 1]],
        np.linalg.qr(RNG.normal(size=(3, 3)))[0],
        RNG.normal(size=(3, 3)),
    )
    assert alignments(-u @ order + 5, u) == pytest.approx({"cosine": 1, "cka": 1, "overlap": 1})
    turned, changed = alignments(u @ turn, u), alignments(u @ mixed, u)
    assert turned["cka"] == pytest.approx(1)
    assert changed["overlap"] == pytest.approx(1)
    assert turned["cosine"] < 0.99
    assert changed["cka"] < 0.99


def test_columns_at_right_angles_agree_in_nothing():
    one, two = np.linalg.qr(centred(RNG.normal(size=(20, 6))))[0].reshape(20, 2, 3).swapaxes(0, 1)
    assert alignments(one, two) == pytest.approx({"cosine": 0, "cka": 0, "overlap": 0}, abs=1e-9)


def test_random_values_have_the_spectrum_and_no_direction():
    v = RNG.normal(size=(20, 3)) * [1, 5, 9] + 4
    drawn = of_same_spectrum(v, RNG)
    np.testing.assert_allclose(np.linalg.svd(drawn)[1], np.linalg.svd(centred(v))[1])
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=1e-12)
    assert alignments(drawn, v)["overlap"] < 0.7


def test_values_of_principal_axes_are_found_and_shuffled_ones_are_not():
    values, _ = principal_values(KEYS, 3)
    found = on_one_text(KEYS, values, RNG)
    assert found["cosine"] == pytest.approx(1)
    assert max(found["shuffled_cosine"], found["random_cosine"]) < 0.7


def test_a_head_is_measured_on_all_texts():
    X, W = RNG.normal(size=(2, 12, 4)), RNG.normal(size=(2, 4, 3))
    found = of_principal_axes(X, *W)
    alone = [of_principal_axes(x[None], *W)["linear_cka"] for x in X]
    assert found["linear_cka"] == pytest.approx(np.mean(alone))
    assert len(found) == 12
