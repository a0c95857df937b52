"""Training sets of attention: sequences of tokens, a query and a label each, a fixed linear head."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._records import frozen
from margins._types import Array, Seed
from margins.validation import count, finite_array, generator, instance

ROUNDING = 4 * np.finfo(float).eps  # of the sizes in a difference or a product: as good as nothing
LARGEST_EXPONENT = 450  # lengths between 2^-450 and 2^450, 1e-135 and 1e135, have squares that can be summed


@frozen
class TokenData:
    """Sequences X_i with queries z_i, labels Y_i = +-1 and the head h(x) = v.x.

    Leading axes hold independent sets. `mask` says which tokens a query may attend to (True = may attend);
    None lets it attend to all. The arrays are copies of those that came
    (book: Attention converges to an SVM, The model).

    >>> data = TokenData(X=[[[1.0, 0.0], [0.0, 1.0]]], Z=[[1.0, 1.0]], Y=[1.0], v=[2.0, 3.0])
    >>> data.scores, data.optimal_tokens
    (array([[2., 3.]]), array([1]))
    """

    X: Array  # (..., n, T, d)
    Z: Array  # (..., n, d)
    Y: Array  # (..., n)
    v: Array  # (..., d)
    mask: Array | None = None  # (..., n, T)

    def __post_init__(self) -> None:
        for name in ("X", "Z", "Y", "v"):
            own = finite_array(name, getattr(self, name), dtype=np.float64).copy()
            object.__setattr__(self, name, own)
        _check_shapes(self.X, Z=self.Z, Y=self.Y, v=self.v)
        if not (np.abs(self.Y) == 1).all():
            raise ValueError(f"Y must hold labels -1 and +1, but it holds {np.unique(self.Y)[:5].tolist()}")
        if self.mask is not None:
            object.__setattr__(self, "mask", _checked_mask(self.mask, self.X).copy())

    def __getitem__(self, index: Any) -> TokenData:
        """The sets at `index` of the leading axes."""
        if not self.batch_shape:
            raise IndexError("this TokenData holds one set only, it has no leading axes to index")
        index = (*index, ...) if isinstance(index, tuple) else (index, ...)
        mask = None if self.mask is None else self.mask[*index, :, :]
        return TokenData(
            self.X[*index, :, :, :], self.Z[*index, :, :], self.Y[*index, :], self.v[*index, :], mask
        )

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The leading axes, () for one set."""
        return self.X.shape[:-3]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of sequences n, of tokens in each T, and the dimension d."""
        return self.X.shape[-3:]

    @property
    def allowed(self) -> Array:
        """The mask in full: True where a query may attend to a token."""
        return np.ones(self.X.shape[:-1], dtype=bool) if self.mask is None else self.mask  # (..., n, T)

    @property
    def scores(self) -> Array:
        """The token scores gamma_it = Y_i v.x_it.

        (book: Attention converges to an SVM, What the loss asks for)
        """
        return self.Y[..., None] * (self.X @ self.v[..., None, :, None])[..., 0]  # (..., n, T)

    @property
    def optimal_tokens(self) -> Array:
        """The token of the highest score of each sequence, opt_i = argmax_t gamma_it; a tie is refused.

        (book: Attention converges to an SVM, What the loss asks for)
        """
        tied = self.optimal_sets.sum(axis=-1) > 1  # (..., n)
        if tied.any():
            where = np.argwhere(tied)[0].tolist()
            raise ValueError(
                f"several tokens share the highest score, first in sequence {where}: none is optimal alone; "
                "choose among `optimal_sets` and pass the tokens you mean"
            )
        return self.optimal_sets.argmax(axis=-1)  # (..., n)

    @property
    def optimal_sets(self) -> Array:
        """True where a token's score is the highest of its sequence, up to the rounding of v.x."""
        rounding = ROUNDING * (np.abs(self.X) @ np.abs(self.v)[..., None, :, None])[..., 0]
        scores = np.where(self.allowed, self.scores, -np.inf)
        return scores >= scores.max(axis=-1, keepdims=True) - rounding.max(
            axis=-1, keepdims=True
        )  # (..., n, T)


def random_token_data(
    n: int, T: int, d: int, *, rng: Seed, batch: int | tuple[int, ...] = (), self_attention: bool = False
) -> TokenData:
    """Token data with X, Z and v uniform on unit spheres and fair random labels.

    Self-attention queries with the first token, z_i = x_i1; `rng` is a NumPy generator or a seed
    (book: Attention converges to an SVM, The model).

    >>> data = random_token_data(n=6, T=8, d=10, rng=np.random.default_rng(0))
    >>> data.X.shape, data.Z.shape
    ((6, 8, 10), (6, 10))
    """
    n, T, d, rng = count("n", n), count("T", T, at_least=2), count("d", d), generator("rng", rng)
    batch = tuple(count("batch", size) for size in np.atleast_1d(np.asarray(batch, dtype=object)))
    return data_of_draws(*normal_draws(n, T, d, rng, batch, self_attention=self_attention))


def normal_draws(
    n: int,
    T: int,
    d: int,
    rng: np.random.Generator,
    batch: tuple[int, ...] = (),
    *,
    self_attention: bool = False,
) -> tuple[Array, Array, Array, Array]:
    """What `random_token_data` draws, before it is put on spheres: v, Y, X and Z."""
    v = rng.normal(size=(*batch, d))
    Y = rng.choice([-1.0, 1.0], size=(*batch, n))
    X = rng.normal(size=(*batch, n, T, d))
    Z = X[..., 0, :] if self_attention else rng.normal(size=(*batch, n, d))
    return v, Y, X, Z


def data_of_draws(v: Array, Y: Array, X: Array, Z: Array) -> TokenData:
    """The `TokenData` of draws, tokens, queries and head on unit spheres."""
    return TokenData(_unit(X), _unit(Z), Y, _unit(v))


def checked_data(data: TokenData) -> TokenData:
    """`data` if it is a `TokenData`, else a message that says so."""
    return instance("data", data, TokenData, "made of X, Z, Y and v")


def trainable(data: TokenData) -> TokenData:
    """`data`, refused where gradients by W, of the size ||x|| ||z||, have squares beyond the number range."""
    batch = checked_data(data).batch_shape
    require_squares(data.X.reshape(*batch, -1), data.Z.reshape(*batch, -1))
    return data


def require_squares(tokens: Array, queries: Array) -> None:
    """A refusal where the rows (..., d) of `tokens` or `queries`, or products of their lengths, have none."""
    a, z = (np.abs(rows).max(axis=-1) for rows in (tokens, queries))
    of_token, of_query = np.frexp(a)[1], np.frexp(z)[1] + np.zeros(a.shape, int)  # of the same shape
    exponents = np.array([of_token, of_query, of_token + of_query])[:, (a > 0) & (z > 0)]  # (3, ...)
    worst = exponents.flat[np.abs(exponents).argmax()] if exponents.size else 0
    if abs(worst) > LARGEST_EXPONENT:
        raise ValueError(
            f"X and Z give a length of about 1e{round(0.301 * worst)} among tokens, their differences, "
            "queries and products, whose square leaves the number range; rescale them"
        )


def one_set(data: TokenData) -> TokenData:
    """`data`, refused if it holds several sets."""
    if checked_data(data).batch_shape:
        raise ValueError(f"data must be one set, but its leading axes are {data.batch_shape}; index them")
    return data


def _unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def _check_shapes(X, **others):
    """A refusal, unless `X` is (..., n, T, d) with T >= 2 and the others fit it."""
    if X.ndim < 3:
        raise ValueError(
            f"X must have the axes (..., sequences, tokens, dimension), but its shape is {X.shape}"
        )
    *batch, n, T, d = X.shape
    if T < 2:
        raise ValueError(
            f"X must hold at least 2 tokens a sequence, or nothing is to choose: its shape is {X.shape}"
        )
    expected = {"Z": (*batch, n, d), "Y": (*batch, n), "v": (*batch, d)}
    for name, array in others.items():
        if array.shape != expected[name]:
            raise ValueError(
                f"{name} must be {expected[name]} beside X of {X.shape}, but its shape is {array.shape}"
            )


def _checked_mask(mask, X):
    """`mask` as Boolean (..., n, T) that leaves every query a token and some query two."""
    mask = np.asarray(mask)
    if mask.dtype != np.bool_ or mask.shape != X.shape[:-1]:
        got = f"{mask.dtype} of shape {mask.shape}"
        raise ValueError(
            f"mask must be Boolean of shape {X.shape[:-1]} beside X of {X.shape}, but it is {got}"
        )
    attended = mask.sum(axis=-1)  # (..., n)
    if not attended.all():
        empty = np.argwhere(attended == 0)[0].tolist()
        raise ValueError(f"mask must leave every query a token, but sequence {empty} has none")
    if not (attended > 1).any(axis=-1).all():
        raise ValueError("mask must leave some query two tokens, or nothing is to choose")
    return mask
