"""Training: steps of Adam on random pieces of the text, from one seed."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margins_book.experiments.trained_head.network import Parameters, Sizes, initial, loss_and_gradients

FADING, SQUARES = 0.9, 0.99  # of Adam: how slowly the means of gradients and of their squares forget


class Plan(NamedTuple):
    """How long is trained, and how fast."""

    steps: int = 3000
    texts: int = 32
    rate: float = 4e-3
    rising: int = 100  # steps until the rate is reached; after them it falls to 0 like a cosine


def trained(text: NDArray, sizes: Sizes, plan: Plan, seed: int) -> tuple[Parameters, list[float]]:
    """The parameters after training on the codes `text`, and the losses of all steps."""
    rng = np.random.default_rng(seed)
    parameters = initial(sizes, rng)
    means, squares = ({name: np.zeros_like(p) for name, p in parameters.items()} for _ in range(2))
    losses = []
    for step, batch in enumerate(batches(text, sizes.length, plan, rng)):
        loss, gradients = loss_and_gradients(parameters, sizes, batch)
        losses.append(loss)
        for name, gradient in gradients.items():
            means[name] += (1 - FADING) * (gradient - means[name])
            squares[name] += (1 - SQUARES) * (gradient**2 - squares[name])
            mean, square = (
                means[name] / (1 - FADING ** (step + 1)),
                squares[name] / (1 - SQUARES ** (step + 1)),
            )
            parameters[name] -= np.float32(rate(plan, step)) * mean / (np.sqrt(square) + 1e-8)
    return parameters, losses


def batches(text: NDArray, length: int, plan: Plan, rng: np.random.Generator) -> Iterator[NDArray]:
    """Pieces of the text with one letter more than the network reads, (texts, length + 1) for each step."""
    for _ in range(plan.steps):
        starts = rng.integers(len(text) - length, size=plan.texts)
        yield text[starts[:, None] + np.arange(length + 1)]


def rate(plan: Plan, step: int) -> float:
    """The rate of a step."""
    if step < plan.rising:
        return plan.rate * (step + 1) / plan.rising
    return plan.rate * (1 + np.cos(np.pi * (step - plan.rising) / (plan.steps - plan.rising))) / 2


def mean_loss(parameters: Parameters, sizes: Sizes, text: NDArray) -> float:
    """The mean of -log p(next letter) over a text that is cut into pieces, without overlap."""
    number = (len(text) - 1) // sizes.length
    starts = sizes.length * np.arange(number)[:, None]
    pieces = text[starts + np.arange(sizes.length + 1)]
    return loss_and_gradients(parameters, sizes, pieces)[0]


def bigram_loss(learnt: NDArray, text: NDArray, letters: int) -> float:
    """The mean loss of a table that knows how often each letter followed each in what was learnt.

    Each pair is counted once more than it was seen, so that none is impossible.
    """
    counts = np.ones((letters, letters))
    np.add.at(counts, (learnt[:-1], learnt[1:]), 1)
    table = np.log(counts / counts.sum(axis=1, keepdims=True))
    return float(-table[text[:-1], text[1:]].mean())
