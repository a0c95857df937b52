"""Random problems of an experiment: each from its own seed, so that no result depends on its neighbours."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

from margins.attention_svm import TokenData, random_start
from margins.attention_svm.data import data_of_draws, normal_draws
from margins_book.experiments.estimates import Cell


def sizes(shapes: Iterable[tuple[int, int]], dimensions: Iterable[int]) -> list[Cell]:
    """Every size of a problem: n sequences of T tokens for each of the `shapes`, in each dimension d."""
    return [{"n": n, "T": T, "d": d} for (n, T), d in product(shapes, dimensions)]


def draw_problems(
    n: int, T: int, d: int, seeds: Iterable[int]
) -> tuple[TokenData, list[np.random.Generator]]:
    """Token data with one leading axis, set k drawn from `seeds`[k], and the generators for further draws.

    Each set is that of `random_token_data`; all are put on spheres and checked at once.
    """
    generators = [np.random.default_rng([n, T, d, seed]) for seed in seeds]
    draws = [normal_draws(n, T, d, rng) for rng in generators]
    return data_of_draws(*map(np.stack, zip(*draws, strict=True))), generators


def draw_starts(data: TokenData, generators: Sequence[np.random.Generator], width: int | None = None) -> Any:
    """Starting values of each problem, from its own generator: W, or a pair (K, Q) of m = `width` columns."""
    one = data[0]  # a start depends on its sizes alone
    starts = [random_start(one, rng=rng, width=width) for rng in generators]
    return np.stack(starts) if width is None else tuple(map(np.stack, zip(*starts, strict=True)))
