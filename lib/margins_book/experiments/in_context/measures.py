"""What is measured of trained networks: their errors, and what their heads and features have become."""

import numpy as np
from numpy.typing import NDArray

from margins.prompt_network import PromptNetwork, inferred_answers, read_prompts, ridge_answers
from margins_book.experiments.in_context.training import Prompts, World

PROMPTS = 4000  # on which an error is measured
LEVEL = 1e-3  # the penalty of an effective dimension, as a share of the mean square of the features
PENALTIES = np.geomspace(1e-5, 1, 11)  # of ridge regression, as shares of the mean diagonal of its kernel


def one(network: PromptNetwork, r: int) -> PromptNetwork:
    """The r-th of the networks."""
    return PromptNetwork(*(array[r] for array in network))


def own(prompts: Prompts, r: int) -> Prompts:
    """The prompts of the r-th network, in double precision."""
    return Prompts(*(array[r].astype(float) for array in prompts))


def error(answers: NDArray, prompts: Prompts) -> float:
    """The mean squared error over d: about 1 for the answer 0, if the tasks are normal."""
    return float(np.mean((answers - prompts.right) ** 2) / prompts.queries.shape[-1])


def network_error(network: PromptNetwork, prompts: Prompts) -> float:
    """The error of a network."""
    return error(read_prompts(network, prompts.X, prompts.y, prompts.queries).answers, prompts)


def of_learners(prompts: Prompts, tasks: NDArray, world: World) -> dict[str, float]:
    """The errors of the best learner for these tasks, of the best linear one, and of ridge regression."""
    X, y, queries, _ = prompts
    return {
        "posterior": error(inferred_answers(X, y, queries, tasks, world.noise), prompts),
        "linear": error(best_linear_answers(prompts, tasks, world.noise), prompts),
        "ridge": error(ridge_answers(X, y, queries, world.noise), prompts),
    }


def best_linear_answers(prompts: Prompts, tasks: NDArray, noise: float) -> NDArray:
    """The best answers among those that are linear in the values: ridge with the mean of w w' in between.

    x_q' C X' (X C X' + noise^2 I)^-1 y with C = T'T/M for the tasks T (M, d)
    (book: Beyond the equivalence, Inferring the task).
    """
    X, y, queries, _ = prompts
    C = tasks.T @ tasks / len(tasks)
    S = X @ C @ X.swapaxes(-1, -2) + noise**2 * np.eye(X.shape[-2])
    w = C @ (X.swapaxes(-1, -2) @ np.linalg.solve(S, y[..., None]))
    return np.sum(w[..., 0] * queries, axis=-1)


def of_heads(network: PromptNetwork, prompts: Prompts) -> dict[str, float]:
    """How many keys the heads attend, the least weight over 1/n, and whether two heads are opposite.

    `alike` is the correlation of the blocks of W_1 and W_2 between inputs, `opposed` compares what the two
    heads' answers count: -1 where they count the same with opposite signs.
    """
    weights = read_prompts(network, prompts.X, prompts.y, prompts.queries).weights  # (H, B, n)
    entropy = -np.sum(weights * np.log(np.maximum(weights, 1e-300)), axis=-1)
    found = {"attended": np.exp(entropy).mean(), "least": weights.min() * weights.shape[-1]}
    d = prompts.queries.shape[-1]
    if len(network.heads) == 2:
        blocks = network.heads[:, :d, :d].reshape(2, -1)
        counted = network.out.reshape(3, d + 2)[1:, d]
        found["alike"] = blocks[0] @ blocks[1] / np.prod(np.linalg.norm(blocks, axis=1))
        found["opposed"] = 2 * counted[0] * counted[1] / (counted @ counted)
    return {name: float(value) for name, value in found.items()}


def features(network: PromptNetwork, prompts: Prompts) -> NDArray:
    """The features (B, w + m) of prompts, in double precision."""
    return read_prompts(network, prompts.X, prompts.y, prompts.queries).features.astype(float)


def effective_dimension(rows: NDArray) -> float:
    """sum mu / (mu + LEVEL sum mu) over the eigenvalues mu of the kernel of these features.

    (book: Kernels, Spectra)
    """
    spectrum = np.square(np.linalg.svd(rows, compute_uv=False))
    return float(np.sum(spectrum / (spectrum + LEVEL * spectrum.sum())))


def fitted_error(network: PromptNetwork, learnt: Prompts, fresh: Prompts) -> float:
    """The error of the best linear read-out of the features, fitted to the prompts `learnt`."""
    Phi = features(network, learnt)
    size = 1e-6 * np.trace(Phi.T @ Phi) / Phi.shape[1]
    w = np.linalg.solve(Phi.T @ Phi + size * np.eye(Phi.shape[1]), Phi.T @ learnt.right)
    return error(features(network, fresh) @ w, fresh)


def of_features(network: PromptNetwork, learnt: Prompts, fresh: Prompts) -> dict[str, float]:
    """The errors of the network, and of its features with the best read-out; their dimension."""
    return {
        "stored": network_error(network, fresh),
        "fitted": fitted_error(network, learnt, fresh),
        "dimension": effective_dimension(features(network, fresh)),
    }


def of_kernel(network: PromptNetwork, learnt: Prompts, fresh: Prompts) -> dict[str, float]:
    """The error of kernel ridge regression in the features, and its scaled norm tr(K)/N y'(K + lambda)^-1 y.

    The penalty has the least error left out; the norm, over y'y, is taken at 0.01 tr(K)/N
    (book: Beyond the equivalence, Does a good kernel explain good generalisation?).
    """
    Phi, right = features(network, learnt), learnt.right
    K = Phi @ Phi.T
    size, number = np.trace(K) / len(K), np.eye(len(K))
    best = min(PENALTIES, key=lambda share: _left_out(K, right, share * size))
    alpha = np.linalg.solve(K + best * size * number, right)
    norm = size * (right @ np.linalg.solve(K + 0.01 * size * number, right)) / (right @ right)
    return {"kernel": error(features(network, fresh) @ (Phi.T @ alpha), fresh), "norm": float(norm)}


def _left_out(K: NDArray, y: NDArray, penalty: float) -> float:
    """The mean squared error of kernel ridge regression with each value left out in turn."""
    inverse = np.linalg.inv(K + penalty * np.eye(len(K)))
    return float(np.mean((inverse @ y / np.diag(inverse)) ** 2))
