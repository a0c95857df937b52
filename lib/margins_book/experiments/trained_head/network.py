"""A small Transformer that foretells the next letter, and the gradients of its loss, by hand in NumPy.

The layers are those of chapter 4, with one normalisation of the rows before each branch and a causal mask;
there are no biases (book: Attention as Nadaraya-Watson regression, From one head to a layer).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Parameters = dict[str, NDArray]
EPSILON = 1e-5  # in a normalised row, so that a constant row does not divide by 0


class Sizes(NamedTuple):
    """The sizes of the network: `d_k` is `width / heads`."""

    letters: int
    length: int = 64
    width: int = 32
    heads: int = 4
    inner: int = 128
    layers: int = 2


def initial(sizes: Sizes, rng: np.random.Generator, dtype: Any = np.float32) -> Parameters:
    """Random matrices with entries of variance 1 / rows; those that end a branch are smaller."""
    d, inner = sizes.width, sizes.inner
    shapes = {"letters": (sizes.letters, d), "places": (sizes.length, d), "out": (d, sizes.letters)}
    for layer in range(sizes.layers):
        shapes |= {f"W_{name}{layer}": (d, d) for name in "QKVO"}
        shapes |= {f"up{layer}": (d, inner), f"down{layer}": (inner, d)}
    made = {name: rng.normal(size=shape) / np.sqrt(shape[0]) for name, shape in shapes.items()}
    for name in made:
        if name in ("letters", "places"):  # rows of a table, of which one is taken
            made[name] *= np.sqrt(len(made[name])) / 2
        elif name.startswith(("W_O", "down")):
            made[name] /= np.sqrt(2 * sizes.layers)
    return {name: value.astype(dtype) for name, value in made.items()}


def loss_and_gradients(parameters: Parameters, sizes: Sizes, codes: NDArray) -> tuple[float, Parameters]:
    """The mean of -log p(next letter) over the texts `codes` (B, n + 1), and its gradients."""
    given, wanted = codes[:, :-1], codes[:, 1:]
    logits, tape = forward(parameters, sizes, given)
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))  # (B, n, letters)
    right = np.take_along_axis(log_p, wanted[..., None], axis=-1)
    slope = np.exp(log_p)
    np.put_along_axis(slope, wanted[..., None], np.take_along_axis(slope, wanted[..., None], -1) - 1, axis=-1)
    return -float(right.mean()), backward(parameters, sizes, given, tape, slope / wanted.size)


def forward(parameters: Parameters, sizes: Sizes, codes: NDArray) -> tuple[NDArray, dict[str, Any]]:
    """The logits (B, n, letters) of the next letters, and what each step hands to its gradient.

    The rows that the heads of layer l see are `tape["seen<l>"]`, (B, n, width).
    """
    x = parameters["letters"][codes] + parameters["places"][: codes.shape[1]]
    tape: dict[str, Any] = {}
    for layer in range(sizes.layers):
        seen, size = normalised(x)
        W = [parameters[f"W_{name}{layer}"] for name in "QKVO"]
        answer, heads = attended(seen, W, sizes.heads)
        x = x + answer
        rows, rows_size = normalised(x)
        open_ = np.maximum(rows @ parameters[f"up{layer}"], 0)
        x = x + open_ @ parameters[f"down{layer}"]
        tape |= {f"seen{layer}": seen, f"layer{layer}": (size, heads, rows, rows_size, open_)}
    last, size = normalised(x)
    return last @ parameters["out"], tape | {"last": (last, size)}


def backward(
    parameters: Parameters, sizes: Sizes, codes: NDArray, tape: dict[str, Any], slope: NDArray
) -> Parameters:
    """The gradients of all parameters, from the `slope` of the loss in the logits."""
    last, size = tape["last"]
    found = {"out": _product(last, slope)}
    dx = normalised_back(slope @ parameters["out"].T, last, size)
    for layer in reversed(range(sizes.layers)):
        size, heads, rows, rows_size, open_ = tape[f"layer{layer}"]
        found[f"down{layer}"] = _product(open_, dx)
        d_open = (dx @ parameters[f"down{layer}"].T) * (open_ > 0)
        found[f"up{layer}"] = _product(rows, d_open)
        dx = dx + normalised_back(d_open @ parameters[f"up{layer}"].T, rows, rows_size)
        W, seen = [parameters[f"W_{name}{layer}"] for name in "QKVO"], tape[f"seen{layer}"]
        d_seen, of_W = attended_back(dx, seen, W, heads)
        found |= {f"W_{name}{layer}": value for name, value in zip("QKVO", of_W, strict=True)}
        dx = dx + normalised_back(d_seen, seen, size)
    found["letters"], found["places"] = (np.zeros_like(parameters[name]) for name in ("letters", "places"))
    np.add.at(found["letters"], codes, dx)
    found["places"][: codes.shape[1]] = dx.sum(axis=0)
    return found


def normalised(x: NDArray) -> tuple[NDArray, NDArray]:
    """Rows with mean 0 and mean square 1, and the sizes by which they were divided."""
    centred = x - x.mean(axis=-1, keepdims=True)
    size = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    return centred / size, size


def normalised_back(dy: NDArray, y: NDArray, size: NDArray) -> NDArray:
    """The gradient in the rows before `normalised`, from that in the rows after it."""
    return (dy - dy.mean(axis=-1, keepdims=True) - y * (dy * y).mean(axis=-1, keepdims=True)) / size


def attended(x: NDArray, W: list[NDArray], heads: int) -> tuple[NDArray, tuple[NDArray, ...]]:
    """Causal attention of several heads, and its queries, keys, values, weights and answers."""
    q, k, v = (_apart(x @ w, heads) for w in W[:3])  # (B, H, n, d_k)
    logits = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(x.dtype)
    n = x.shape[-2]
    logits = np.where(np.tri(n, dtype=bool), logits, -np.inf)
    A = np.exp(logits - logits.max(axis=-1, keepdims=True))
    A /= A.sum(axis=-1, keepdims=True)
    answers = _together(A @ v)
    return answers @ W[3], (q, k, v, A, answers)


def attended_back(
    dy: NDArray, x: NDArray, W: list[NDArray], kept: tuple[NDArray, ...]
) -> tuple[NDArray, list[NDArray]]:
    """The gradients in the rows `x` and in the four matrices; a softmax has the slope A (dA - sum A dA)."""
    q, k, v, A, answers = kept
    d_answers = _apart(dy @ W[3].T, q.shape[1])
    dA = d_answers @ v.swapaxes(-1, -2)
    d_logits = A * (dA - (A * dA).sum(axis=-1, keepdims=True)) / np.sqrt(q.shape[-1]).astype(x.dtype)
    slopes = (d_logits @ k, d_logits.swapaxes(-1, -2) @ q, A.swapaxes(-1, -2) @ d_answers)
    flat = [_together(slope) for slope in slopes]
    dx = sum((slope @ w.T for slope, w in zip(flat, W, strict=False)), np.zeros_like(x))
    return dx, [*(_product(x, slope) for slope in flat), _product(answers, dy)]


def _apart(x: NDArray, heads: int) -> NDArray:
    """(B, n, H d_k) as (B, H, n, d_k)."""
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def _together(x: NDArray) -> NDArray:
    """(B, H, n, d_k) as (B, n, H d_k)."""
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


def _product(x: NDArray, dy: NDArray) -> NDArray:
    """The gradient of the matrix W in y = x W, summed over all rows of all texts."""
    return x.reshape(-1, x.shape[-1]).T @ dy.reshape(-1, dy.shape[-1])
