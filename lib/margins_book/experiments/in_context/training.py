"""Prompts of linear tasks, the gradients of the squared error by hand, and steps of Adam.

All networks of one shape are trained side by side, each on prompts of its own tasks.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margins.prompt_network import PromptNetwork, Reading, read_prompts

FADING, SQUARES = 0.9, 0.99  # of Adam: how slowly the means of gradients and of their squares forget
RISING = 100  # steps until the rate is reached


class World(NamedTuple):
    """Prompts: n examples y = <w, x> + an error, inputs of dimension d, all normal."""

    d: int = 4
    n: int = 8
    noise: float = 0.5


WORLD = World()


class Plan(NamedTuple):
    """How long is trained, on how many prompts a step, and how fast."""

    steps: int = 4000
    prompts: int = 128
    rate: float = 0.01
    falls: bool = True  # the rate falls to 0 like a cosine; otherwise it stays


class Prompts(NamedTuple):
    """Prompts of R networks, with the right answers: <w, x_q>, without an error."""

    X: NDArray  # (R, B, n, d)
    y: NDArray  # (R, B, n)
    queries: NDArray  # (R, B, d)
    right: NDArray  # (R, B)


def initial(sizes: tuple[int, int], networks: int, world: World, rng: np.random.Generator) -> PromptNetwork:
    """Random networks with `sizes` heads and units of the feed-forward layer."""
    heads, inner = sizes
    e = world.d + 2
    w = (heads + 1) * e
    made = (
        0.3 * rng.normal(size=(networks, heads, e, e)),
        0.1 * rng.normal(size=(networks, w)),
        np.sqrt(2 / w) * rng.normal(size=(networks, w, inner)),
        0.3 / np.sqrt(max(inner, 1)) * rng.normal(size=(networks, inner)),
    )
    return PromptNetwork(*(array.astype(np.float32) for array in made))


def draw_prompts(tasks: Sequence[NDArray], number: int, world: World, rng: np.random.Generator) -> Prompts:
    """`number` prompts for each network, each of one of its `tasks` (M, d)."""
    shape = (len(tasks), number)
    w = np.stack([own[rng.integers(len(own), size=number)] for own in tasks]).astype(np.float32)
    X = rng.standard_normal((*shape, world.n, world.d), np.float32)
    queries = rng.standard_normal((*shape, world.d), np.float32)
    errors = np.float32(world.noise) * rng.standard_normal((*shape, world.n), np.float32)
    return Prompts(X, (X @ w[..., None])[..., 0] + errors, queries, (w * queries).sum(axis=-1))


def loss_and_gradients(network: PromptNetwork, prompts: Prompts) -> tuple[NDArray, PromptNetwork]:
    """The mean squared errors (R,) of the answers, and their gradients in all parameters."""
    read = read_prompts(network, prompts.X, prompts.y, prompts.queries)
    missed = read.answers - prompts.right
    slope = (2 / missed.shape[-1] * missed).astype(missed.dtype)
    return np.square(missed).mean(axis=-1), gradients(network, read, slope)


def gradients(network: PromptNetwork, read: Reading, slope: NDArray) -> PromptNetwork:
    """The gradients in all parameters, from the `slope` (R, B) of the loss in the answers."""
    d_inner = slope[..., None] * network.down[..., None, :] * (read.inner > 0)
    d_mixed = slope[..., None] * network.out[..., None, :] + d_inner @ network.up.swapaxes(-1, -2)
    heads, e = network.heads.shape[-3], network.heads.shape[-1]
    d_means = d_mixed[..., e:].reshape(*slope.shape, heads, e)
    d_weights = np.einsum("...bhe,...bne->...hbn", d_means, read.tokens)
    s = read.weights
    d_logits = s * (d_weights - (s * d_weights).sum(axis=-1, keepdims=True))
    d_keys = np.einsum("...hbn,...bne->...hbe", d_logits, read.tokens)
    return PromptNetwork(
        read.query.swapaxes(-1, -2)[..., None, :, :] @ d_keys,
        (slope[..., None, :] @ read.mixed)[..., 0, :],
        read.mixed.swapaxes(-1, -2) @ d_inner,
        (slope[..., None, :] @ read.inner)[..., 0, :],
    )


def trained(
    network: PromptNetwork,
    tasks: Sequence[NDArray],
    plan: Plan,
    rng: np.random.Generator,
    world: World = WORLD,
    kept: Collection[int] = (),
    watch: Callable[[NDArray], None] = lambda losses: None,
    prompts: Prompts | None = None,
) -> dict[int, PromptNetwork]:
    """The networks after the numbers of steps `kept` and after all; `watch` gets the losses of each step.

    Each step draws new prompts of the `tasks`, or all use the same `prompts`.
    """
    now, snapshots = [array.copy() for array in network], {}
    means, squares = ([np.zeros_like(array) for array in network] for _ in range(2))
    for step in range(plan.steps):
        if step in kept:
            snapshots[step] = PromptNetwork(*(array.copy() for array in now))
        shown = prompts or draw_prompts(tasks, plan.prompts, world, rng)
        losses, found = loss_and_gradients(PromptNetwork(*now), shown)
        watch(losses)
        _move(now, means, squares, found, step, rate(plan, step))
    return snapshots | {plan.steps: PromptNetwork(*now)}


def _move(now, means, squares, found, step, size):
    """One step of Adam, in place."""
    for array, mean, square, slope in zip(now, means, squares, found, strict=True):
        mean += (1 - FADING) * (slope - mean)
        square += (1 - SQUARES) * (slope * slope - square)
        grown = np.sqrt(square / np.float32(1 - SQUARES ** (step + 1))) + np.float32(1e-8)
        array -= np.float32(size / (1 - FADING ** (step + 1))) * mean / grown


def rate(plan: Plan, step: int) -> float:
    """The rate of a step: it rises at first."""
    risen = plan.rate * min(1.0, (step + 1) / RISING)
    return risen * (1 + np.cos(np.pi * step / plan.steps)) / 2 if plan.falls else risen
