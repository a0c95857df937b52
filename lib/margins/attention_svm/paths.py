"""Regularisation paths: the best W, or keys and queries, of every norm bound."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from margins._extras import extra
from margins._records import frozen
from margins._types import Array, ArrayLike, Seed
from margins.attention_svm.data import TokenData, one_set
from margins.attention_svm.excess import LogExcess, SmallestLead
from margins.attention_svm.losses import LOGISTIC, Loss
from margins.validation import count, finite_array, generator

Objective: TypeAlias = Callable[[Array], tuple[Any, Array]]  # theta -> value and gradient
STATIONARY_RATIO = 1e-5  # of the tangential to the whole gradient at a stationary point of the sphere
INWARD_FACTORS = np.array([0.99, *0.5 ** np.arange(1, 21)])  # of a point of the sphere, on its way to 0
MOST_KEPT, MOST_RESTARTS = 4, 5  # points of one radius, searches of a point that is not stationary yet
LBFGS_OPTIONS = {"maxiter": 5000, "maxfun": 20000, "maxcor": 50, "ftol": 1e-16, "gtol": 1e-12}


@frozen
class RegularisationPath:
    """The minimisers found for each radius.

    `status` is "boundary" or "interior", where the minimiser lies, or "inaccurate" if the optimiser stopped
    where the gradient along the sphere had not vanished
    (book: Attention converges to an SVM, The regularisation path).

    >>> rng = np.random.default_rng(0)
    >>> path = regularisation_path(random_token_data(2, 2, 3, rng=rng), [1.0, 2.0], rng=rng, starts=2)
    >>> path.status
    array(['boundary', 'boundary'], dtype='<U8')
    """

    radii: Array  # (R,)
    W: Array  # (R, d, d)
    K: Array | None  # (R, d, m)
    Q: Array | None  # (R, d, m)
    log_excess: Array  # (R,), log(L - inf L)
    status: Array  # (R,)


def regularisation_path(
    data: TokenData,
    radii: ArrayLike,
    *,
    rng: Seed,
    width: int | None = None,
    starts: int = 8,
    loss: Loss = LOGISTIC,
) -> RegularisationPath:
    """The minimisers of L(W) over ||W||_F <= R, or of L(K Q') over ||K||_F^2 + ||Q||_F^2 <= 2 R.

    The second is asked for by m = `width`, the number of columns of K and Q; its norm bound says
    ||W||_nuclear <= R and rank W <= m. L is not convex: from small radii up, every radius is tried from the
    solutions of the radius before, from `starts` random points, drawn with `rng`, a generator or a seed, and
    from the W that minimises the `SmallestLead`, at which all best tokens win if they can win by
    enough; for factors from its nearest matrix of rank m. What is returned is the lowest point of all these
    searches; that no point is lower is not proved.
    (book: Attention converges to an SVM, The regularisation path)

    >>> data = random_token_data(2, 2, 3, rng=np.random.default_rng(0))
    >>> path = regularisation_path(data, [1.0, 100.0], rng=np.random.default_rng(0), starts=2)
    >>> svm = frobenius_svm(data, data.optimal_tokens)
    >>> correlation(path.W[-1], svm.W).round(2)
    np.float64(1.0)
    """
    radii, starts, rng = _checked_radii(radii), count("starts", starts), generator("rng", rng)
    d = one_set(data).sizes[-1]
    shape = (d, d) if width is None else (2, d, count("width", width))
    excess = LogExcess(data, loss=loss)
    function = excess if width is None else _of_factors(excess)
    points: list[Array] = []
    statuses: list[str] = []
    found: list[Array] = []
    lead = SmallestLead(data)
    ahead = lead.way
    for R in radii_between(radii, data):
        ball = R if width is None else np.sqrt(2 * R)
        ahead = search_sphere(lead, R, ahead)
        led = ahead if width is None else _factors(ahead, width)
        begin = [*found, led, *rng.normal(size=(starts, *shape))]
        found = _distinct([search_sphere(function, ball, start) for start in begin], function)
        found = _distinct([_search_inside(function, excess, ball, theta) for theta in found], function)
        if R in radii:
            found[0], status = polished(function, ball, found[0])
            points.append(found[0])
            statuses.append(status)
    return _path(radii, np.array(points), np.array(statuses), function, factors=width is not None)


def radii_between(radii: Array, data: TokenData) -> list[float]:
    """The radii, from where logits are small, and others between them: each is at most four times the last.

    At large radii nearly all of the sphere is a plateau, on which no search finds its way.
    """
    longest = np.ptp(data.X, axis=-2).max() * np.linalg.norm(data.Z, axis=-1).max()
    below = min(radii[0], 1 / longest if longest > 0 else radii[0])
    steps_up = []
    for R in radii:
        steps = int(np.ceil(np.log(R / below) / np.log(4) - 1e-9))
        steps_up += [below * (R / below) ** (k / steps) for k in range(steps)]
        steps_up.append(R)
        below = R
    return sorted(set(steps_up))


def _of_factors(excess):
    """The function of theta = (K, Q), with the gradients G Q and G' K."""

    def function(theta):
        K, Q = theta
        value, G = excess(K @ Q.T)
        gradient = np.empty_like(theta)
        np.matmul(G, Q, out=gradient[0])
        np.matmul(G.T, K, out=gradient[1])
        return value, gradient

    return function


def _factors(W, width):
    """K and Q of `width` columns, equally large, whose K Q' is the nearest to W of that rank."""
    U, values, Vt = np.linalg.svd(W)
    theta = np.zeros((2, len(W), width))
    kept = min(width, len(W))
    theta[0, :, :kept], theta[1, :, :kept] = U[:, :kept], Vt[:kept].T
    theta[..., :kept] *= np.sqrt(values[:kept])
    return theta


def search_sphere(function: Objective, ball: float, direction: Array) -> Array:
    """A local minimiser of `function` over ||theta|| = ball, sought from `direction`."""
    shape = direction.shape

    def on_sphere(p):
        length = np.sqrt(p @ p)
        theta = ball * p.reshape(shape) / length
        value, gradient = function(theta)
        return value / ball, _tangential(gradient, theta).ravel() / length

    start = direction.ravel() / np.linalg.norm(direction)
    best = _minimiser(on_sphere, start)
    return ball * best.reshape(shape) / np.linalg.norm(best)


def _minimiser(function, start, box=None):
    """A local minimiser of `function`, which gives its gradient too, sought from `start` in the `box`."""
    with extra("solvers", "margins.attention_svm.regularisation_path"):
        from scipy.optimize import minimize

    with np.errstate(divide="ignore"):  # where its last step was 0, it divides by it in a result unused here
        return minimize(function, start, jac=True, method="L-BFGS-B", bounds=box, options=LBFGS_OPTIONS).x


def _search_inside(function, excess, ball, theta):
    """The point `theta` of the sphere, or a lower one inside if the function is lower on the way to 0."""
    W, degree = (theta, 1) if theta.ndim == 2 else (theta[0] @ theta[1].T, 2)
    inner = INWARD_FACTORS[excess.along(W, INWARD_FACTORS**degree).argmin()]
    if function(inner * theta)[0] >= function(theta)[0]:
        return theta

    def inside(p):
        value, gradient = function(p.reshape(theta.shape))
        return value, gradient.ravel()

    box = [(-ball, ball)] * theta.size  # holds the ball, and keeps a search that leaves it from overflowing
    free = _minimiser(inside, inner * theta.ravel(), box)
    return free.reshape(theta.shape) if np.linalg.norm(free) < ball else theta


def _tangential(gradient, theta):
    """The part of the gradient along the sphere through `theta`."""
    inwards, square = (np.add.reduce(factor * theta, axis=None) for factor in (gradient, theta))
    return gradient - theta * (inwards / square)


def polished(function: Objective, ball: float, theta: Array) -> tuple[Array, str]:
    """The point searched again while it is not stationary, and where it lies."""
    for _ in range(MOST_RESTARTS):
        if (status := _status(function, ball, theta)) != "inaccurate":
            return theta, status
        theta = search_sphere(function, ball, theta)
    if (status := _status(function, ball, theta)) == "inaccurate":
        warnings.warn("the path is inaccurate: a search stopped early", RuntimeWarning, stacklevel=3)
    return theta, status


def _status(function, ball, theta):
    """Where the minimiser lies, or that the search stopped too early there."""
    if np.linalg.norm(theta) < ball * (1 - 1e-9):
        return "interior"
    gradient = function(theta)[1]
    vanished = np.linalg.norm(_tangential(gradient, theta)) <= STATIONARY_RATIO * np.linalg.norm(gradient)
    return "boundary" if vanished else "inaccurate"


def _distinct(points, function):
    """The best few of `points`, those of equal value once, best first."""
    values = np.array([function(point)[0] for point in points])
    order = np.argsort(values)
    new = np.diff(values[order], prepend=-np.inf) > 1e-9 * (1 + np.abs(values[order]))
    return [points[i] for i in order[new][:MOST_KEPT]]


def _checked_radii(radii: ArrayLike) -> Array:
    """Radii (R,) as increasing positive numbers."""
    radii = finite_array("radii", radii, ndim=1, dtype=np.float64)
    if (radii <= 0).any() or (np.diff(radii) <= 0).any():
        raise ValueError(f"radii must be positive and increasing, but they are {radii.tolist()}")
    return radii


def _path(radii, points, statuses, function, *, factors):
    values = np.array([function(point)[0] for point in points])
    if not factors:
        return RegularisationPath(radii, points, None, None, values, statuses)
    K, Q = points[:, 0], points[:, 1]
    return RegularisationPath(radii, K @ Q.transpose(0, 2, 1), K, Q, values, statuses)
