"""Diagnosis of token data: which choices are feasible or locally optimal, which assumptions hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention.hull import is_exposed
from margins.attention_svm.constraints import checked_tokens, token_margins
from margins.attention_svm.data import TokenData, one_set
from margins.attention_svm.frobenius import frobenius_optimum
from margins.attention_svm.gradient import loss_gradient
from margins.attention_svm.solution import AttentionSVM, each_constraints
from margins.least_distance import least_distance
from margins.validation import instance


def is_feasible(data: TokenData, tokens: ArrayLike) -> Any:
    """Whether some W puts the tokens (n,) ahead; data with leading axes give an array of answers, one a set.

    (book: Local optima, feasibility and over-parameterisation, Feasibility)

    >>> data = TokenData(X=[[[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]]], Z=[[1.0, 1.0]], Y=[1.0], v=[1.0, 0.0])
    >>> is_feasible(data, [0]), is_feasible(data, [2])  # the last token lies between the others
    (True, False)
    """
    found = each_constraints(lambda one: frobenius_optimum(one)[2] is None, data, tokens)
    return np.reshape(found, data.batch_shape) if data.batch_shape else found


def is_locally_optimal(data: TokenData, tokens: ArrayLike, solution: AttentionSVM) -> bool:
    """Whether every token (n,) scores higher than its neighbours in the attention SVM of `solution`.

    Neighbours are the tokens with margin 1, wherever they stand in the sequence; an infeasible choice is
    never locally optimal (book: Local optima, feasibility and over-parameterisation, Locally optimal tokens).

    >>> data = random_token_data(2, 3, 6, rng=np.random.default_rng(0))
    >>> tokens = data.optimal_tokens
    >>> is_locally_optimal(data, tokens, frobenius_svm(data, tokens))
    True
    """
    tokens, solution = checked_tokens(one_set(data), tokens), _checked_solution(solution)
    chosen = np.take_along_axis(data.scores, tokens[:, None], axis=1)  # (n, 1)
    return solution.feasible and bool((chosen > data.scores)[solution.support].all())


def all_tokens_support(solution: AttentionSVM) -> bool:
    """Whether every token that was not chosen is a support token, margin 1 (assumption B.1).

    (book: Local optima, feasibility and over-parameterisation, Over-parameterisation)

    >>> data = random_token_data(2, 3, 50, rng=np.random.default_rng(0))
    >>> all_tokens_support(frobenius_svm(data, data.optimal_tokens))  # usual in many dimensions
    True
    """
    constrained = ~np.isposinf(_checked_solution(solution).margins)
    return solution.feasible and bool(solution.support[constrained].all())


def _checked_solution(solution):
    """`solution` if it is an `AttentionSVM`, else a message that says where they come from."""
    return instance("solution", solution, AttentionSVM, "as frobenius_svm gives it")


def equal_scores(data: TokenData) -> bool:
    """Whether in every sequence the tokens that are not optimal share one score (assumption B.2).

    (book: Local optima, feasibility and over-parameterisation, No stationary points)

    >>> rng = np.random.default_rng(0)
    >>> [equal_scores(random_token_data(2, T, 4, rng=rng)) for T in (2, 3)]
    [True, False]
    """
    others = one_set(data).allowed & (np.arange(data.sizes[1]) != data.optimal_tokens[:, None])
    low = np.where(others, data.scores, np.inf).min(axis=1)  # (n,)
    high = np.where(others, data.scores, -np.inf).max(axis=1)  # (n,)
    size = np.where(data.allowed, np.abs(data.scores), 0.0).max(axis=1)  # (n,)
    return bool((high - low <= 1e-12 * size).all())


def first_gradient_margin(data: TokenData) -> float:
    """The smallest gap (x_opt - x_t)' (-grad L(0)) z: positive iff the gradient separates (assumption C).

    (book: Local optima, feasibility and over-parameterisation, A good beginning)

    >>> bool(first_gradient_margin(random_token_data(1, 2, 8, rng=np.random.default_rng(0))) > 0)
    True
    """
    d = one_set(data).sizes[-1]
    descent = -loss_gradient(data, np.zeros((d, d)))
    return float(token_margins(data, data.optimal_tokens, descent).min())


def query_separator(data: TokenData) -> Array | None:
    """The shortest u with Y_i u.z_i >= 1 for all sequences, or None if labels and queries are not separable.

    Where it exists the optimal tokens are feasible however many tokens a sequence has, and no W is stationary
    (book: Local optima, feasibility and over-parameterisation, A separator of rank one).

    >>> data = random_token_data(3, 4, 8, rng=np.random.default_rng(0))
    >>> u = query_separator(data)
    >>> (data.Y * (data.Z @ u)).min().round(6)
    np.float64(1.0)
    """
    return least_distance(one_set(data).Y[:, None] * data.Z).point


def rank_one_separator(data: TokenData) -> Array | None:
    """The matrix c v u' that puts the optimal tokens ahead of all others by at least 1, or None without a u.

    Its margins are c Y_i u.z_i (gamma_opt - gamma_t).
    (book: Local optima, feasibility and over-parameterisation, A separator of rank one)

    >>> data = random_token_data(3, 4, 8, rng=np.random.default_rng(0))
    >>> W = rank_one_separator(data)
    >>> np.linalg.matrix_rank(W), token_margins(data, data.optimal_tokens, W).min().round(6)
    (np.int64(1), np.float64(1.0))
    """
    u = query_separator(data)
    if u is None:
        return None
    matrix = np.outer(data.v, u)
    return matrix / token_margins(data, data.optimal_tokens, matrix).min()


def exposed_tokens(data: TokenData, tokens: ArrayLike) -> Array:
    """Which tokens (n,) are vertices of the hull of their sequence, met once: what feasibility needs of each.

    Where the queries are linearly independent it is all that feasibility needs
    (book: Local optima, feasibility and over-parameterisation, Feasibility).

    >>> data = TokenData(X=[[[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]]], Z=[[1.0, 1.0]], Y=[1.0], v=[1.0, 0.0])
    >>> exposed_tokens(data, [0]), exposed_tokens(data, [2])
    (array([ True]), array([False]))
    """
    tokens = checked_tokens(one_set(data), tokens)
    places = np.cumsum(data.allowed, axis=1) - 1  # (n, T), among the tokens that the mask leaves
    return np.array(
        [
            is_exposed(X[allowed], place[t])
            for X, allowed, place, t in zip(data.X, data.allowed, places, tokens, strict=True)
        ]
    )
