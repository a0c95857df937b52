"""Facts of the figures of sequences and data, told from what is nearly so."""

from types import SimpleNamespace

import numpy as np
import pytest

from margins_book.sequences_and_data.figures import falls_in_proportion, forgets_the_twin, off_shortest


def line(**columns):
    """Facts of positions, from a list for each name."""
    return [
        SimpleNamespace(**dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)
    ]


def test_a_margin_in_proportion_has_a_steady_ratio_and_a_turning_arrow():
    distance, cosine = np.array([0.01, 0.02, 0.05, 0.5]), [0.9, 0.8, 0.7, 0.6]
    assert falls_in_proportion(line(distance=distance, margin=0.7 * distance, cosine=cosine))
    assert not falls_in_proportion(line(distance=distance, margin=0.7 * distance**2, cosine=cosine))
    assert not falls_in_proportion(line(distance=distance, margin=0.7 * distance, cosine=cosine[::-1]))


def test_a_twin_is_forgotten_where_the_margin_comes_back():
    assert forgets_the_twin(line(margin=[1.0005, 1.01, 1.2], plain=[1.0] * 3))
    assert not forgets_the_twin(line(margin=[1.01, 1.02, 1.2], plain=[1.0] * 3))
    assert not forgets_the_twin(line(margin=[1.0, 1.2, 1.1], plain=[1.0] * 3))


@pytest.mark.parametrize(("p", "w"), [(2.0, [0.2, 0.4]), (3.0, [1, np.sqrt(2)])])
def test_the_shortest_vector_is_told_from_its_neighbours(p, w):
    rows = np.array([[1.0, 2.0]])
    shortest = np.array(w) / (rows @ w).item()
    assert off_shortest(rows, shortest, p) < 1e-12
    beside = np.array([0.5, 0.25])  # rows @ beside is 1, too
    assert off_shortest(rows, beside, p) > 0.1
