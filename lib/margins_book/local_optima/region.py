"""A region from which gradient flow ends at a locally optimal choice of tokens, with its constants.

Rows A_j are the pairs (i, t) of a chosen token and another of its sequence, times the query, laid flat; W is
laid flat too, and W = r W^ + W_perp with the direction W^ of the choice's machine. Far out the loss exceeds
its level by less than a double can hold, so that everything is computed from the logarithm of the excess
(book: Local optima, feasibility and over-parameterisation, A region for the flow).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from margins.attention_svm import TokenData, judged_choice
from margins.attention_svm.constraints import pair_constraints


class Region(NamedTuple):
    """The constants of the theorem for one choice and the logistic loss."""

    rows: NDArray  # (N, D), A_j
    gaps: NDArray  # (N,), score of the chosen token minus that of the other
    sequence: NDArray  # (N,), i of the row
    own: NDArray  # (n,), scores of the chosen tokens
    direction: NDArray  # (D,), W^
    margin: float  # Gamma
    neighbours: NDArray  # (N,), bool
    rho: float
    c1: float
    c2: float
    M: float

    @property
    def length(self) -> float:
        """The largest norm of a row."""
        return float(np.linalg.norm(self.rows, axis=1).max())

    @property
    def lead(self) -> float:
        """g, the smallest lead in score over a neighbour."""
        return float(self.gaps[self.neighbours].min())

    @property
    def factor(self) -> float:
        """B, which multiplies omega in the bound on the slope along W^."""
        N, lead = len(self.rows), self.c1 * self.lead
        return 16 * N * (self.c2 * self.M + self.M**2 / 8) / lead + 4 * self.c2 * self.M * self.length * N / (
            lead * self.margin
        )

    @property
    def nu(self) -> float:
        """The least share of the flow's speed that goes along W^."""
        return self.margin * self.c1 * self.lead / (16 * self.c2 * self.M * self.length)

    @property
    def epsilon(self) -> float:
        """The width of the cone."""
        return self.rho * self.margin / (4 * self.length)

    def omega(self, r: float | NDArray) -> float | NDArray:
        """A bound on e^-mu_j of any other pair, divided by the sum of e^-mu over the neighbours."""
        return np.exp(-0.75 * self.rho * self.margin * r)

    def lost(self, r: float, aside: float) -> float:
        """kappa: the length that the flow from r W^ + W_perp, |W_perp| = `aside`, wastes at most."""
        faint = 4 * self.factor * self.omega(r) / (3 * self.rho * self.margin * self.nu)
        level = np.log(8 * self.c2 * self.M * len(self.rows) / (self.c1 * self.lead))
        return float(self.length / self.margin * aside + faint + level / self.margin)

    def contains(self, r: float, aside: float) -> bool:
        """Whether r W^ + W_perp with |W_perp| = `aside` lies in the region."""
        slack = self.epsilon * r - aside - (self.epsilon + 1 / self.epsilon) * self.lost(r, aside)
        return bool(self.factor * self.omega(r) <= 0.5 and slack > 0)

    def radius(self, slope: float = 0.0) -> float:
        """The r from which on r W^ + W_perp with |W_perp| = slope r lies in the region."""
        low, high = 0.0, 1.0
        while not self.contains(high, slope * high):
            low, high = high, 2 * high
            if high > 1e9:
                raise ValueError(
                    f"slope: got {slope}, and no r up to 1e9 is in the region; take a smaller one"
                )
        while high - low > 1e-6 * high:
            middle = (low + high) / 2
            low, high = (low, middle) if self.contains(middle, slope * middle) else (middle, high)
        return high


def region_of(data: TokenData, tokens: NDArray) -> Region:
    """The region of a locally optimal choice of `tokens` (n,)."""
    choice = judged_choice(data, tokens)
    if choice.verdict not in ("optimal", "spurious"):
        raise ValueError(
            f"tokens: got {tokens}, which is {choice.verdict}; expected a locally optimal choice"
        )
    solution, scores = choice.solution, data.scores
    others = np.isfinite(solution.margins)  # (n, T)
    margins, own = solution.margins[others], scores[np.arange(len(tokens)), tokens]
    further = margins[~solution.support[others]] - 1
    return Region(
        rows=pair_constraints(data, tokens).rows, gaps=(own[:, None] - scores)[others],
        sequence=np.nonzero(others)[0], own=own, direction=solution.W.ravel() * solution.margin,
        margin=solution.margin, neighbours=solution.support[others], rho=min(1.0, further.min(initial=1.0)),
        c1=1 / (1 + np.exp(scores.max())), c2=1 / (1 + np.exp(scores.min())), M=np.ptp(scores, axis=1).max(),
    )  # fmt: skip


def lost_scores(region: Region, W: NDArray) -> tuple[NDArray, NDArray, float]:
    """Scores (n,) lost at W (D,) and weights (N,) of the pairs, both times e^mu, and the least margin mu."""
    margins = region.rows @ W
    least = float(margins.min())
    shares = np.exp(least - margins)  # e^-mu_j times e^mu
    total = np.bincount(region.sequence, np.exp(-margins), minlength=len(region.own))
    weights = shares / (1 + total[region.sequence])
    return np.bincount(region.sequence, weights * region.gaps, minlength=len(region.own)), weights, least


def log_excess(region: Region, W: NDArray) -> float:
    """log(L(W) - L_alpha); minus infinity where the loss is not above its level."""
    lost, _, least = lost_scores(region, W)
    e = lost * np.exp(-least)
    slope = 1 / (1 + np.exp(region.own))
    tiny = np.abs(e) < 1e-12  # log(1 + (exp(e) - 1) slope) = e slope, up to rounding
    quotient = np.where(tiny, slope, np.log1p(np.expm1(e) * slope) / np.where(tiny, 1, e))
    mean = float((lost * quotient).mean())
    return float(np.log(mean)) - least if mean > 0 else -np.inf


def scaled_descent(region: Region, W: NDArray) -> tuple[NDArray, float]:
    """-gradient of the loss at W (D,) times e^m, and m, the least margin."""
    lost, weights, least = lost_scores(region, W)
    e = lost * np.exp(-least)
    slope = 1 / (1 + np.exp(region.own - e)) / len(region.own)
    pulls = slope[region.sequence] * weights * (region.gaps - e[region.sequence])
    return pulls @ region.rows, least


def flow(region: Region, start: NDArray, lengths: NDArray) -> NDArray:
    """Gradient flow from `start` (D,): where it is (len, D) after paths of these `lengths`, rising from 0."""

    def unit(_: float, W: NDArray) -> NDArray:
        pull, _ = scaled_descent(region, W)
        return pull / np.linalg.norm(pull)

    solved = solve_ivp(unit, (0, lengths[-1]), start, method="LSODA", t_eval=lengths, rtol=1e-9, atol=1e-9)
    return solved.y.T
