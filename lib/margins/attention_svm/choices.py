"""All choices of a token a sequence, each with its verdict: infeasible, unstable, spurious or optimal."""

from __future__ import annotations

from itertools import product

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.constraints import checked_tokens
from margins.attention_svm.data import TokenData, one_set
from margins.attention_svm.diagnosis import is_locally_optimal
from margins.attention_svm.frobenius import frobenius_svm
from margins.attention_svm.solution import AttentionSVM

MAX_CHOICES = 20_000


@frozen
class Choice:
    """A choice of tokens, what can be said of it, and its attention SVM.

    "infeasible": no W selects it. "unstable": feasible but not locally optimal, descent leaves it.
    "spurious": locally optimal, descent can end there, but some token is not its sequence's best. "optimal"
    (book: Local optima, feasibility and over-parameterisation, The board of choices).

    >>> judged_choice(random_token_data(2, 3, 4, rng=np.random.default_rng(0)), [0, 0]).tokens
    array([0, 0])
    """

    tokens: Array  # (n,)
    verdict: str
    solution: AttentionSVM


def all_choices(data: TokenData) -> list[Choice]:
    """The verdicts on all T^n choices of a token a sequence, in lexicographic order.

    (book: Local optima, feasibility and over-parameterisation, The board of choices)

    >>> board = all_choices(random_token_data(2, 2, 4, rng=np.random.default_rng(0)))
    >>> [(choice.tokens.tolist(), choice.verdict) for choice in board]
    [([0, 0], 'unstable'), ([0, 1], 'unstable'), ([1, 0], 'unstable'), ([1, 1], 'optimal')]
    """
    tokens = [np.flatnonzero(row) for row in one_set(data).allowed]
    if (total := np.prod([float(len(row)) for row in tokens])) > MAX_CHOICES:
        raise ValueError(
            f"data must have at most {MAX_CHOICES} choices to enumerate, but they have {total:.3g}"
        )
    return [judged_choice(data, np.array(choice)) for choice in product(*tokens)]


def judged_choice(data: TokenData, tokens: ArrayLike) -> Choice:
    """The `Choice` of the tokens (n,), judged.

    (book: Local optima, feasibility and over-parameterisation, The board of choices)

    >>> data = random_token_data(3, 4, 8, rng=np.random.default_rng(0))
    >>> judged_choice(data, data.optimal_tokens).verdict
    'optimal'
    """
    tokens = checked_tokens(one_set(data), tokens)
    solution = frobenius_svm(data, tokens)
    if not solution.feasible:
        verdict = "infeasible"
    elif np.take_along_axis(data.optimal_sets, tokens[:, None], axis=1).all():
        verdict = "optimal"
    else:
        verdict = "spurious" if is_locally_optimal(data, tokens, solution) else "unstable"
    return Choice(tokens, verdict, solution)
