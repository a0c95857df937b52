"""Linear attention with its error, causal linear attention, and Fourier features.

Needs the bench extra (torch, performer-pytorch). Every row first asserts that both sides
agree, or states the error that the estimate makes: a time of linear attention without its
error means nothing.
"""

import numpy as np
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics.pairwise import rbf_kernel

from benchmarks.harness import compare
from margins.attention import softmax_attention
from margins.estimators import FourierFeatures
from margins.random_features import linear_attention, performer_attention, projections, softmax_features

WIDTH, FEATURES = 64, 256


def rows():
    """The rows of the speed table for random features."""
    for n, goal in ((512, None), (1024, 1.0), (4096, None), (16384, 0.06)):
        yield _against_exact(n, goal)
    yield _against_performer(4096)
    yield _causal(8192, goal=0.05)
    yield _fourier(np.float64, goal=0.4)
    yield _fourier(np.float32)


def _tokens(n, size=0.25):
    rng = np.random.default_rng(0)
    Q, K, V = (rng.standard_normal((n, WIDTH), dtype=np.float32) for _ in range(3))
    return size * Q, size * K, V


def _omega():
    return projections(FEATURES, WIDTH, rng=1, orthogonal=True).astype(np.float32)


def _relative_error(answer, truth):
    return np.linalg.norm(answer - truth) / np.linalg.norm(truth)


def _against_exact(n, goal):
    """Linear attention, features included, against exact attention; the error at two sizes of the tokens."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    torch.set_num_threads(1)
    (Q, K, V), omega = _tokens(n), _omega()
    q, k, v = (torch.from_numpy(x)[None, None] for x in (Q, K, V))
    long = _tokens(min(n, 2048), size=1.0)
    at_one = _relative_error(performer_attention(*long, omega), softmax_attention(*long))

    def accuracy(ours, theirs):
        error = _relative_error(ours, theirs[0, 0].numpy())
        assert error < 0.5, error
        return f"relative error {error:.2g} for tokens of size 1/4, {at_one:.2g} for size 1"

    return compare(
        f"linear attention n={n} d={WIDTH}, {FEATURES} features, float32",
        "torch scaled_dot_product_attention",
        lambda: performer_attention(Q, K, V, omega),
        lambda: scaled_dot_product_attention(q, k, v),
        accuracy=accuracy,
        goal=goal,
    )


def _against_performer(n):
    """The same estimate by performer-pytorch with its eps, which biases it, set to 0."""
    import torch
    from performer_pytorch import performer_pytorch as performer

    torch.set_num_threads(1)
    (Q, K, V), omega = _tokens(n, size=1.0), _omega()
    q, k, v = (torch.from_numpy(x)[None, None] for x in (Q, K, V))

    def peer(eps=0.0):
        phi_q, phi_k = (
            performer.softmax_kernel(x, projection_matrix=torch.from_numpy(omega), is_query=query, eps=eps)
            for x, query in ((q, True), (k, False))
        )
        return performer.linear_attention(phi_q, phi_k, v)[0, 0].numpy()

    def accuracy(ours, theirs):
        difference, biased = np.abs(ours - theirs).max(), np.abs(peer(eps=1e-4) - theirs).max()
        assert difference < 1e-3, difference
        return (
            f"largest difference {difference:.0e} (its default eps=1e-4 moves its own answer by {biased:.1g})"
        )

    return compare(
        f"linear attention n={n} d={WIDTH}, {FEATURES} features, float32",
        "performer-pytorch, eps=0",
        lambda: performer_attention(Q, K, V, omega),
        peer,
        accuracy=accuracy,
    )


def _token_by_token(phi_q, phi_k, V):
    """Causal linear attention as a loop over tokens that updates its state in place."""
    state = np.zeros((phi_k.shape[1], V.shape[1]), V.dtype)
    total = np.zeros(phi_k.shape[1], V.dtype)
    out = np.empty_like(V)
    for t in range(len(V)):
        state += phi_k[t][:, None] * V[t]
        total += phi_k[t]
        out[t] = (phi_q[t] @ state) / (phi_q[t] @ total)
    return out


def _causal(n, goal):
    """Running sums over chunks against the loop, both from given features."""
    (Q, K, V), omega = _tokens(n), _omega()
    phi_q, phi_k = (softmax_features(X * np.float32(WIDTH**-0.25), omega) for X in (Q, K))

    def accuracy(ours, theirs):
        difference = _relative_error(ours, theirs)
        assert difference < 1e-4, difference
        return f"relative difference {difference:.0e}"

    return compare(
        f"causal linear attention n={n}, {FEATURES} features, float32",
        "a loop over tokens",
        lambda: linear_attention(phi_q, phi_k, V, causal=True),
        lambda: _token_by_token(phi_q, phi_k, V),
        accuracy=accuracy,
        goal=goal,
    )


def _fourier(dtype, goal=None):
    """1024 Fourier features of 5000 points, transform only."""
    X = np.random.default_rng(0).standard_normal((5000, 20)).astype(dtype)
    ours = FourierFeatures(1024, gamma=0.05, random_state=0).fit(X)
    peer = RBFSampler(gamma=0.05, n_components=1024, random_state=0).fit(X)
    truth = rbf_kernel(X[:500], gamma=0.05)

    def accuracy(features, theirs):
        errors = [np.sqrt(np.mean((F[:500] @ F[:500].T - truth) ** 2)) for F in (features, theirs)]
        assert errors[0] < 1.1 * errors[1], errors
        return f"root mean square error {errors[0]:.4f} against {errors[1]:.4f}"

    return compare(
        f"1024 Fourier features n=5000 d=20 {np.dtype(dtype)}",
        "scikit-learn RBFSampler",
        lambda: ours.transform(X),
        lambda: peer.transform(X),
        accuracy=accuracy,
        goal=goal,
    )
