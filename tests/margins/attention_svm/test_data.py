"""Token data: shapes that fit, scores, optimal tokens, and clear refusals."""

from functools import partial

import numpy as np
import pytest

from margins.attention_svm import TokenData
from tests.margins.attention_svm import draws

draw = partial(draws.draw, 4, 5, 3)


def test_random_data_lie_on_spheres():
    data = draw(batch=(2, 3))
    assert data.batch_shape == (2, 3)
    assert data.sizes == (4, 5, 3)
    for rows in (data.X, data.Z, data.v):
        np.testing.assert_allclose(np.linalg.norm(rows, axis=-1), 1.0)
    assert set(np.unique(data.Y)) == {-1.0, 1.0}


def test_self_attention_queries_with_the_first_token():
    data = draw(self_attention=True)
    np.testing.assert_array_equal(data.Z, data.X[:, 0])


def test_scores_are_signed_projections():
    data = draw(batch=2)
    for b, i, t in np.ndindex(2, 4, 5):
        assert data.scores[b, i, t] == pytest.approx(data.Y[b, i] * data.v[b] @ data.X[b, i, t])
    np.testing.assert_array_equal(data.optimal_tokens, data.scores.argmax(axis=-1))


def test_data_do_not_change_with_the_arrays_that_they_came_from():
    arrays = [np.array(x) for x in (draw().X, draw().Z, draw().Y, draw().v)]
    mask = np.ones((4, 5), dtype=bool)
    data = TokenData(*arrays, mask)
    for array in arrays:
        array[:] = 0
    mask[:] = False
    for name in ("X", "Z", "Y", "v"):
        np.testing.assert_array_equal(getattr(data, name), getattr(draw(), name))
    assert data.mask.all()


def test_index_takes_sets_from_the_leading_axes():
    data = draw(batch=(2, 3))
    np.testing.assert_array_equal(data[1, 2].X, data.X[1, 2])
    np.testing.assert_array_equal(data[1].v, data.v[1])
    assert data[:, 0].batch_shape == (2,)
    with pytest.raises(IndexError, match="one set only"):
        data[1, 2][0]


def test_mask_hides_tokens_from_the_optimum():
    data = draw()
    mask = np.ones((4, 5), dtype=bool)
    mask[np.arange(4), data.optimal_tokens] = False
    masked = TokenData(data.X, data.Z, data.Y, data.v, mask)
    runner_up = np.argsort(data.scores, axis=-1)[:, -2]
    np.testing.assert_array_equal(masked.optimal_tokens, runner_up)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_scores_tie_within_the_rounding_of_their_products(size):
    """The rounding of v.x grows with v; a difference of a hundred times that is none of rounding."""
    x, eps = np.array([1.0, 2.0, 3.0]), np.finfo(float).eps
    X = np.array([[x, x * (1 + eps), x * (1 - 100 * eps)]])
    data = TokenData(X, np.ones((1, 3)), [1.0], size * np.ones(3))
    assert data.optimal_sets.tolist() == [[True, True, False]]
