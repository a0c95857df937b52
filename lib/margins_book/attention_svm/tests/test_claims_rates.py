"""Chapter 6, the rate of the regularisation path and the machines of normalisers: claims C6.27 and C6.28."""

from itertools import product

import numpy as np
import pytest
from numpy.linalg import norm

from margins import attention_svm as att
from margins_book.attention_svm import path_rate


def problems(count, rng, least=0.05):
    """Random problems of two sequences of three tokens whose best tokens are feasible, and their rows."""
    while count:
        data = att.random_token_data(2, 3, int(rng.integers(2, 4)), rng=rng)
        machine = att.frobenius_svm(data, data.optimal_tokens)
        if machine.feasible and machine.margin > least:
            count -= 1
            yield data, path_rate.rows_of(data)


@pytest.fixture(scope="module")
def hundred():
    return list(problems(100, np.random.default_rng(0)))


def touched(rows, rng):
    """The rows with one more on the edge of the street, of the first sequence's query; None if that is odd.

    A row b z' with <b z', W^mm> = 1 supports the machine, and the dual needs it nowhere.
    """
    added = rng.normal(size=len(rows.u)) * norm(rows.A, axis=1).mean()
    goal = rows.u / rows.margin
    added += (1 - added @ goal) * goal / (goal @ goal)
    more = path_rate.weighed(np.vstack([rows.A, added]), np.append(rows.c, rng.uniform(0.1, 1)))
    F = path_rate.held(more)
    clear = more.support.sum() == F.sum() + 1 and more.q[F].min() > 0.03
    return (more, F) if clear else None


@pytest.mark.full
def test_c6_27_the_offset_of_the_path_is_that_of_the_small_program(hundred):
    """E_R comes to E_infinity like 1/R; the search for the path itself finds the same E_R."""
    misses = []
    for _, rows in hundred:
        limit, radii = path_rate.offset(rows), np.array([1e4, 1e5, 1e8]) / rows.margin
        misses.append([norm(path_rate.path_point(rows, R)[0] - limit) for R in radii])
    near, far, farthest = np.array(misses).T
    assert farthest.max() < 1e-4
    assert np.median(near / far) == pytest.approx(10, rel=0.05)
    for data, rows in hundred[:5]:
        radii = np.array([40.0, 400.0]) / rows.margin
        path = att.regularisation_path(data, radii, rng=np.random.default_rng(0), starts=2)
        for R, W in zip(radii, path.W, strict=True):
            np.testing.assert_allclose(W.ravel() - R * rows.u, path_rate.path_point(rows, R)[0], atol=2e-3)


@pytest.mark.full
def test_c6_27_a_support_token_without_multiplier_makes_the_offset_grow_like_log_r(hundred):
    """Per unit of log R - log log R, since p_k is of the order of log R / R there."""
    rng, errors, ratios = np.random.default_rng(1), [], []
    for _, rows in hundred:
        if (found := touched(rows, rng)) is None:
            continue
        more, F = found
        second, radii = path_rate.second_machine(more, F), np.array([1e9, 1e12])
        near, far = (path_rate.path_point(more, R / more.margin)[0] for R in radii)
        growth = (far - near) / np.diff(np.log(radii / np.log(radii)))
        errors.append(norm(growth - second) / norm(second))
        if len(ratios) < 8:
            ratios.append(norm(second) * path_rate.least_gap(more, F))
    assert len(errors) > 50
    assert max(ratios) <= 1 + 1e-6
    assert np.median(errors) < 0.02


def weighed_pair():
    """The slower path: margins w_1 and w_1 + w_2."""
    return path_rate.weighed(np.array([[1.0, 0.0], [1.0, 1.0]]), np.ones(2))


def test_c6_27_random_problems_have_no_support_token_without_multiplier(hundred):
    for _, rows in hundred:
        assert (path_rate.held(rows) == rows.support).all()
    assert not (path_rate.held(weighed_pair()) == weighed_pair().support).all()


def rated(below, above):
    """log of e^(p+ a) sigma(a)^(p- - p+), whose rates are p- = below and p+ = above."""
    return lambda a: above * a - (below - above) * np.logaddexp(0, -a)


def alternatives(X, below, above):
    """The rows of both alternatives of one sequence, token 0 being the best."""
    small, large = sorted((below, above))
    leads = X[:1] - X[1:]
    return small * leads, np.vstack([large * leads, above * X[:1] - below * X[1:]])


@pytest.mark.full
def test_c6_28_the_path_of_two_rates_turns_to_the_shortest_of_all_alternatives():
    """Two sequences, one query, tokens in the plane: the best angle against the shortest of four machines."""
    rng, angles, used = np.random.default_rng(2), np.linspace(-np.pi, np.pi, 100_001), set()
    ways, count = np.column_stack([np.cos(angles), np.sin(angles)]), 0
    while count < 100:
        X, rates = rng.normal(size=(2, 3, 2)), ((1, 0.5), (1 / 3, 1), (1, 0.8), (0.2, 1))[count % 4]
        machines = {
            choice: att.least_distance(
                np.vstack([alternatives(x, *rates)[c] for x, c in zip(X, choice, strict=True)])
            ).point
            for choice in product((0, 1), repeat=2)
        }
        lengths = {choice: norm(w) for choice, w in machines.items() if w is not None}
        if not lengths or (size := min(lengths.values())) > 30:
            continue
        choice = min(lengths, key=lengths.__getitem__)
        others = [v for c, v in lengths.items() if not np.allclose(machines[c], machines[choice])]
        if others and min(others) < 1.01 * size:
            continue
        count += 1
        used.add(choice)
        masses = rated(*rates)(1e5 * ways @ X.transpose(0, 2, 1))  # (2, m, T)
        lost = np.logaddexp.reduce(masses[..., 1:], axis=2) - np.logaddexp.reduce(masses, axis=2)
        got = ways[np.logaddexp.reduce(lost, axis=0).argmin()]
        assert got @ machines[choice] / size > 0.999
    assert len(used) == 4


def test_c6_28_both_alternatives_are_the_condition_on_the_exponents():
    rng = np.random.default_rng(3)
    u, other = rng.normal(size=(2, 200_000)) * 3
    for below, above in rng.uniform(0.05, 2, size=(20, 2)):
        rates = (np.where(a > 0, above, below) * a for a in (u, other))
        small, large = sorted((below, above))
        first = u - other >= 1 / small
        second = (u - other >= 1 / large) & (above * u - below * other >= 1)
        assert ((next(rates) - next(rates) >= 1) == (first | second)).all()
