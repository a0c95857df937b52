"""Three tokens and a pair: pulls, flow and spurious choices against the library."""

import numpy as np
from numpy.testing import assert_allclose

from margins import attention_svm as att
from margins.least_distance import least_distance
from margins_book.sequences_and_data import idle_tokens as idle


def test_pulls_far_out_keep_their_digits():
    q, mean = idle.pulls(np.array([[0.0, -300.0, -310.0]]), np.array([1.0, 0.0, -1.0]))
    assert_allclose(q[0, 1] / -np.exp(-300.0), 1, rtol=1e-12)
    assert_allclose(q[0, 0] / (np.exp(-300.0) + 2 * np.exp(-310.0)), 1, rtol=1e-12)
    assert mean[0] == 1


def test_the_shortest_for_two_rows_is_that_of_least_squares():
    rng = np.random.default_rng(1)
    for a, b in rng.normal(size=(60, 2, 3)) * rng.uniform(0.2, 3, size=(60, 2, 1)):
        assert_allclose(idle.shortest_of_two(a, b), least_distance([a, b]).point, atol=1e-9)
    assert idle.shortest_of_two(a, -2 * a) is None


def test_the_flow_walks_at_unit_speed_and_turns_to_the_machine():
    first, head = idle.PROBLEMS["removes a trap"]
    path = idle.flow_paths(np.array([[0.0, 1.0]]), [first[:2], idle.PAIR], head, 200, 41)[:, 0]
    assert_allclose(np.linalg.norm(np.diff(path, axis=0), axis=1)[-5:], 5, rtol=1e-3)
    assert_allclose(path[-1] / np.linalg.norm(path[-1]), np.sqrt([0.5, 0.5]), atol=0.01)


def test_of_two_pairs_a_choice_is_spurious_where_a_row_is_outweighed():
    rng = np.random.default_rng(0)
    for _ in range(60):
        head = rng.normal(size=2)
        a, b = (row * np.sign(row @ head) for row in rng.normal(size=(2, 2)))
        data = idle.token_data(np.array([0 * a, -a]), np.array([b, 0 * b]), head)
        spurious = any(choice.verdict == "spurious" for choice in att.all_choices(data))
        assert idle.is_trap_of_pairs(a, b) == spurious
