"""Training of attention: plain or normalised gradient descent in W or in (K, Q), many problems at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike, Seed
from margins.attention_svm.data import TokenData, checked_data
from margins.attention_svm.gradient import checked_matrix, flat
from margins.attention_svm.heads import LINEAR, Head
from margins.attention_svm.losses import LOGISTIC, Loss
from margins.attention_svm.normalisers import EXPONENTIAL, Normaliser
from margins.attention_svm.objective import Objective
from margins.attention_svm.parameters import Descent, FullMatrix, KeysQueries, LogitSpace, QuerySpace
from margins.validation import count, finite_array, generator, one_of, positive

LARGEST_GRAM = 2**17  # entries of a Gram matrix of all tokens of a problem that caches hold, one megabyte


@frozen
class Trajectory:
    """The recorded states of training: parameters, weights and losses after the numbers of steps.

    `status` is "moving", or "stationary" where the last gradient was exactly zero: descent is stuck there
    (book: Attention converges to an SVM, Descent).

    >>> run = train(random_token_data(2, 3, 4, rng=np.random.default_rng(0)), iterations=100, record=3)
    >>> run.iterations, run.status
    (array([  0,  50, 100]), array('moving', dtype='<U10'))
    """

    iterations: Array  # (R,)
    W: Array  # (R, ..., d, d)
    K: Array | None  # (R, ..., d, m)
    Q: Array | None  # (R, ..., d, m)
    weights: Array  # (R, ..., n, T)
    losses: Array  # (R, ...)
    status: Array  # (...)

    @property
    def tokens(self) -> Array:
        """The tokens that the last weights select, (..., n)."""
        return self.weights[-1].argmax(axis=-1)


def train(
    data: TokenData,
    start: Any = None,
    *,
    iterations: int = 2000,
    step: float = 0.1,
    normalised: bool = True,
    ridge: float = 0.0,
    gradient: str = "stable",
    guard: float = 0.0,
    head: Head = LINEAR,
    loss: Loss = LOGISTIC,
    normaliser: Normaliser = EXPONENTIAL,
    record: int | ArrayLike = 101,
) -> Trajectory:
    """The trajectory of gradient descent on L(W), or on L(K Q') if `start` is a pair (K, Q).

    A step goes along the gradient of L + r ||theta||^2 (r = `ridge`), divided by its Frobenius norm plus
    `guard` if `normalised`; K and Q are normalised each by itself. `start` is W = 0 by default; K = Q = 0
    is stationary, so a pair must be given. `gradient` is "stable", or "textbook" to see rounding take over
    (then a `guard` of 2.2e-16 is customary). `record` numbers of steps, or that many evenly spaced, are kept
    (book: Attention converges to an SVM, Descent).

    >>> data = random_token_data(2, 3, 8, rng=np.random.default_rng(0))
    >>> run = train(data, iterations=1000)
    >>> svm = frobenius_svm(data, data.optimal_tokens)
    >>> correlation(run.W[-1], svm.W).round(2)
    np.float64(1.0)
    """
    iterations, step = count("iterations", iterations), positive("step", step)
    ridge, guard = (positive(n, x, allow_zero=True) for n, x in (("ridge", ridge), ("guard", guard)))
    one_of("gradient", gradient, ("stable", "textbook"))
    objective = Objective(data, head=head, loss=loss, normaliser=normaliser)
    parameters = parametrisation(start, data, objective, dual=not ridge)
    rule = Descent(step, normalised=normalised, ridge=ridge, guard=guard)
    due = recorded_steps(record, iterations)
    snapshots, moved = _run(objective, parameters, rule, gradient, due.tolist(), iterations)
    return _trajectory(due, snapshots, moved, data.batch_shape)


def random_start(data: TokenData, *, rng: Seed, width: int | None = None) -> Any:
    """A starting W (..., d, d), or a pair K, Q (..., d, m) if m = `width` is given, as linear layers start.

    The entries are uniform in +-1/sqrt(d); `rng` is a NumPy generator or a seed
    (book: Attention converges to an SVM, Descent).

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> K, Q = random_start(data, rng=np.random.default_rng(1), width=2)
    >>> train(data, (K, Q), iterations=10).K.shape
    (11, 4, 2)
    """
    d, rng = checked_data(data).sizes[-1], generator("rng", rng)
    width = d if (full := width is None) else count("width", width)
    draw = [rng.uniform(-1, 1, size=(*data.batch_shape, d, width)) / np.sqrt(d) for _ in range(2 - full)]
    return draw[0] if full else tuple(draw)


def _run(objective, parameters, rule, gradient, due, iterations):
    """Snapshots after the numbers of steps that are `due`, and which problems the last step moved."""
    snapshots, due, moved = [], set(due), None
    for done in range(iterations + 1):
        logits = parameters.logits()
        if done in due:
            snapshots.append(_snapshot(objective, parameters, logits, done))
        if done == iterations:
            return snapshots, moved
        if gradient == "textbook":
            q = objective.textbook_gradient(logits)
        else:
            q, scale = objective.stable_gradient(logits)
            if not rule.forgets_scale:
                q *= np.exp(scale)
        moved = parameters.descend(q, rule)


def _snapshot(objective, parameters, logits, done):
    """Copies of all that a trajectory keeps of one moment, problems first."""
    arrays = {name: array.copy() for name, array in parameters.arrays().items()}
    if not np.isfinite(arrays["W"]).all():
        raise ValueError(f"the parameters overflowed within {done} iterations: step must be smaller")
    weights = objective.weights(logits).transpose(2, 1, 0)  # (B, n, T)
    return arrays | {"weights": weights, "losses": objective.value(logits)}


def _trajectory(due, snapshots, moved, batch_shape):
    """The trajectory of the snapshots, with the leading axes of the data."""
    fields = {
        name: np.stack([snapshot[name] for snapshot in snapshots]).reshape(
            len(snapshots), *batch_shape, *snapshots[0][name].shape[1:]
        )
        for name in snapshots[0]
    }
    status = np.where(moved, "moving", "stationary").reshape(batch_shape)
    K, Q = fields.pop("K", None), fields.pop("Q", None)
    return Trajectory(iterations=due, status=status, K=K, Q=Q, **fields)


def parametrisation(
    start: Any, data: TokenData, objective: Objective, *, dual: bool
) -> FullMatrix | KeysQueries | LogitSpace | QuerySpace:
    """The parametrisation that `start` asks for; W in a dual form where that is cheaper."""
    if isinstance(start, tuple | list):
        return KeysQueries(objective.X, objective.Z, *_checked_factors(start, data))
    n, T, d = data.sizes
    W = np.zeros((d, d)) if start is None else start
    form: type[FullMatrix | LogitSpace | QuerySpace] = FullMatrix
    if dual and n < 2 * d and (n * T) ** 2 > LARGEST_GRAM:
        form = QuerySpace
    elif dual and n * T * T <= 2 * d * d:
        form = LogitSpace
    return form(objective.X, objective.Z, checked_matrix("start", W, data))


def _checked_factors(start, data):
    """A pair (K, Q) as two arrays (B, d, m) of equal width m >= 1."""
    if len(start) != 2:
        raise ValueError(f"start must be W, or a pair (K, Q), but got a sequence of {len(start)}")
    K, Q = (finite_array(name, a, dtype=np.float64) for name, a in zip("KQ", start, strict=True))
    d = data.sizes[-1]
    allowed = ((d,), (*data.batch_shape, d))
    if K.shape != Q.shape or K.shape[:-1] not in allowed:
        expected = (*data.batch_shape, d, "m")
        raise ValueError(f"K and Q must both be {expected}, but their shapes are {K.shape} and {Q.shape}")
    return flat(K, data), flat(Q, data)


def recorded_steps(record: int | ArrayLike, iterations: int) -> Array:
    """The numbers of steps to keep, increasing, each once."""
    if np.ndim(record) == 0:
        kept = min(count("record", record), iterations + 1)
        return np.unique(np.linspace(iterations if kept == 1 else 0, iterations, kept).round().astype(int))
    record = np.unique(finite_array("record", record, ndim=1))
    if (record != record.round()).any() or record[0] < 0 or record[-1] > iterations:
        raise ValueError(
            f"record must hold whole numbers from 0 to iterations = {iterations}, but got {record}"
        )
    return record.astype(int)
