"""Digits as patches, and embeddings of patches and of words."""

import numpy as np
from numpy.testing import assert_allclose

from margins import data
from margins.kernels import gaussian


def test_embedded_patches_estimate_a_gaussian_kernel_of_pixels_and_place():
    patches = np.random.default_rng(0).random((1, 16, 4))
    tokens = data.embed_patches(patches, 40_000, rng=np.random.default_rng(1), reach=1.5)[0]
    grid = np.stack(np.meshgrid(*2 * [np.linspace(-1, 1, 4)], indexing="ij"), axis=-1).reshape(16, 2)
    seen = np.concatenate([patches[0], grid], axis=1)
    assert_allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-12)
    assert_allclose(tokens @ tokens.T, gaussian(seen, gamma=1.5**2 / 2), atol=0.03)


def test_words_that_share_letters_are_near_and_others_nearly_orthogonal():
    array, arrays, fit = (data.hashed_ngrams(word, 512) for word in ("array", "arrays", "fit"))
    assert_allclose([np.linalg.norm(token) for token in (array, arrays, fit)], 1)
    assert array @ arrays > 0.5
    assert abs(array @ fit) < 0.3
    assert_allclose(array, data.hashed_ngrams("array", 512))


def test_patches_come_row_by_row_and_hold_every_pixel_once():
    image = np.arange(64.0).reshape(1, 8, 8)
    patches = data.digit_patches(image)
    assert patches.shape == (1, 16, 4)
    assert patches[0, 0].tolist() == [0, 1, 8, 9]
    assert patches[0, 5].tolist() == [18, 19, 26, 27]
    assert sorted(patches.ravel().tolist()) == list(range(64))


def test_digits_are_those_asked_for_between_zero_and_one():
    images, digits = data.digits_of(3, 8)
    assert set(digits) == {3, 8}
    assert images.shape == (len(digits), 8, 8)
    assert images.min() == 0
    assert images.max() == 1
