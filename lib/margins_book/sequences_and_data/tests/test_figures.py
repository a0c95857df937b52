"""A fact of the figures of sequences and data, told from what is nearly so."""

import numpy as np
import pytest

from margins_book.sequences_and_data.figures import off_shortest


@pytest.mark.parametrize(("p", "w"), [(2.0, [0.2, 0.4]), (3.0, [1, np.sqrt(2)])])
def test_the_shortest_vector_is_told_from_its_neighbours(p, w):
    rows = np.array([[1.0, 2.0]])
    shortest = np.array(w) / (rows @ w).item()
    assert off_shortest(rows, shortest, p) < 1e-12
    beside = np.array([0.5, 0.25])  # rows @ beside is 1, too
    assert off_shortest(rows, beside, p) > 0.1
