"""The table of what exact attention, the mean of all values and Performers cost, and how far they err.

(book: Random features and linear attention, The bill, with the error on it)
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from margins.random_features import attention_flops, linear_attention_flops


def bill_table(blind: Mapping[int, float], found: Mapping[tuple[int, int], Sequence[float]]) -> str:
    """The bill for 8,192 tokens in 64 dimensions, by the size of queries and keys.

    `blind` has the error of the mean of all values by size; `found` those of Performers in each of several
    draws, by size and number of features.
    """
    lines = ["n = 8,192           work       kept  error 1/4    1/2      1"]
    lines.append(_row("exact attention", 1, 2 * 8192 * 64, [0.0] * len(blind)))
    lines.append(_row("mean of all values", 0, 64, list(blind.values())))
    for D in dict.fromkeys(D for _, D in found):
        share = linear_attention_flops(8192, 64, D) / attention_flops(8192, 64)
        means = [float(np.mean(found[size, D])) for size in blind]
        lines.append(_row(f"Performer, {D}", share, D * (64 + 1), means))
    worst = max(np.std(errors, ddof=1) / math.sqrt(len(errors)) for errors in found.values())
    return "\n".join([*lines, f"work: operations, of exact attention's; standard errors up to {worst:.2f}"])


def _row(name: str, work: float, kept: int, errors: Sequence[float]) -> str:
    return f"{name:19} {work:4.2f}  {kept:9,}  " + " ".join(f"{error:6.2f}" for error in errors)
