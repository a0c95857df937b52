"""The library beside scikit-learn and torch; attention and random features need the bench extra."""

from functools import partial

import numpy as np
from sklearn.datasets import make_classification, make_moons
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics import pairwise
from sklearn.svm import SVC

from benchmarks.harness import compare
from margins.attention import softmax_attention
from margins.estimators import FourierFeatures, SVMClassifier
from margins.kernels import gaussian, laplacian
from margins.random_features import performer_attention, projections
from margins.svm import kkt_report

WIDTH, FEATURES, TORCH = 64, 256, "torch scaled_dot_product_attention"


def kernels():
    """Gram matrices; the memory of a reused buffer is there before the clock runs."""
    X, buffer = np.random.default_rng(0).standard_normal((5000, 20)), np.zeros((5000, 5000))
    rbf, laplace = pairwise.rbf_kernel, pairwise.laplacian_kernel
    for job, ours, peer, goal in (
        ("RBF Gram n=5000 d=20, reused buffer", partial(gaussian, out=buffer), rbf, 0.4),
        ("RBF Gram n=5000 d=20, fresh memory", gaussian, rbf, None),
        ("Laplacian Gram n=5000 d=20, reused buffer", partial(laplacian, out=buffer), laplace, None),
    ):
        calls = partial(ours, X, gamma=0.05), partial(peer, X, gamma=0.05)
        yield compare(job, f"scikit-learn {peer.__name__}", *calls, accuracy=_largest_difference, goal=goal)


def _largest_difference(K, L):
    return f"largest difference {np.abs(K - L).max():.1e}"


def svm():
    """Gaussian machines from the points on, so that the Gram matrix counts."""
    for data in (moons, classes):
        for n in (2000, 5000):
            yield _svm_row("easy", data, n, C=1.0, tol=1e-3, peer_tol=1e-3, goal=0.8)
        yield _svm_row("hard", data, 2000, C=100.0, tol=1e-3, peer_tol=1e-3, goal=2.0)
        yield _svm_row("exact", data, 2000, C=100.0, tol=1e-10, peer_tol=1e-8, goal=1.0)
    yield _svm_row("crowd", classes, 50_000, C=1.0, tol=1e-3, peer_tol=1e-3, goal=0.3, repeats=1)


def moons(n):
    """Two noisy half-moons in the plane: few support vectors, hardly any of them free."""
    X, y = make_moons(n, noise=0.3, random_state=0)
    return X, 2.0 * y - 1, 1.0


def classes(n):
    """Two classes of several clusters in 20 dimensions: many support vectors, most of them free."""
    X, y = make_classification(n, 20, n_informative=10, class_sep=0.8, random_state=0)
    return (X - X.mean(axis=0)) / X.std(axis=0), 2.0 * y - 1, 1 / 20


def _svm_row(kind, data, n, *, C, tol, peer_tol, goal, repeats=7):
    X, y, gamma = data(n)
    X = X.astype(np.float32) if n > 10_000 else X
    ours = SVMClassifier(C=C, kernel="gaussian", gamma=gamma, tol=tol)
    peer = SVC(C=C, gamma=gamma, tol=peer_tol, cache_size=500)
    job = f"{kind}: {data.__name__} n={n} C={C:g} {X.dtype}, stop {tol:g}"
    calls, accuracy = (partial(ours.fit, X, y), partial(peer.fit, X, y)), partial(_violations, X, y)
    options = {"accuracy": accuracy, "goal": goal, "repeats": repeats}
    return compare(job, f"SVC, stop {peer_tol:g}", *calls, **options)


def _violations(X, y, ours, peer):
    """The largest violations of both answers; where the matrix is too large for that, the support vectors."""
    if len(y) > 10_000:
        return f"{len(ours.support_)} against {len(peer.support_)} support vectors"
    alpha, K = np.zeros(len(y)), gaussian(X, gamma=peer.gamma)
    alpha[peer.support_] = np.abs(peer.dual_coef_[0])
    answers = (ours.alpha_, ours.intercept_[0]), (alpha, peer.intercept_[0])
    found = [kkt_report(K, y, alpha, b, ours.C).violation for alpha, b in answers]
    return f"KKT {found[0]:.0e} against {found[1]:.0e}"


def attention():
    """Exact attention; large logits take the path with the online maximum."""
    for n, size, goal in ((4096, 1.0, 1.5), (16384, 1.0, 1.5), (4096, 8.0, None)):
        Q, K, V = _tokens(n, 1.0)
        truth = softmax_attention(size * Q[:256].astype(float), K.astype(float), V.astype(float))
        job = f"exact attention n={n} d={WIDTH} float32" + (f", logits x{size:g}" if size != 1 else "")
        calls = partial(softmax_attention, size * Q, K, V), _torch_attention(size * Q, K, V)
        yield compare(job, TORCH, *calls, accuracy=partial(_errors, truth), goal=goal)


def _errors(truth, ours, theirs):
    errors = [np.abs(x[:256] - truth).max() for x in (ours, theirs[0, 0].numpy())]
    assert max(errors) < 1e-3, errors
    return f"largest error {errors[0]:.0e} against {errors[1]:.0e}"


def _tokens(n, size):
    rng = np.random.default_rng(0)
    Q, K, V = (rng.standard_normal((n, WIDTH), dtype=np.float32) for _ in range(3))
    return size * Q, size * K, V


def _torch_attention(*arrays):
    import torch

    torch.set_num_threads(1)
    tensors = [torch.from_numpy(array)[None, None] for array in arrays]
    return partial(torch.nn.functional.scaled_dot_product_attention, *tensors)


def random_features():
    """Linear attention and Fourier features, with their errors: their times alone would mean nothing."""
    omega = projections(FEATURES, WIDTH, rng=1, orthogonal=True).astype(np.float32)
    for n, goal in ((512, None), (1024, 1.0), (4096, None), (16384, 0.06)):
        tokens, long = _tokens(n, 0.25), _tokens(min(n, 2048), 1.0)
        at_one = _relative_error(performer_attention(*long, omega), softmax_attention(*long))

        def accuracy(ours, theirs, at_one=at_one):
            error = _relative_error(ours, theirs[0, 0].numpy())
            assert error < 0.5, error
            return f"relative error {error:.2g} for tokens of size 1/4, {at_one:.2g} for size 1"

        job = f"linear attention n={n} d={WIDTH}, {FEATURES} features, float32"
        ours, peer = partial(performer_attention, *tokens, omega), _torch_attention(*tokens)
        yield compare(job, TORCH, ours, peer, accuracy=accuracy, goal=goal)
    yield _fourier()


def _relative_error(answer, truth):
    return np.linalg.norm(answer - truth) / np.linalg.norm(truth)


def _fourier():
    """1024 Fourier features of 5000 points, transform only."""
    X = np.random.default_rng(0).standard_normal((5000, 20))
    ours = FourierFeatures(1024, gamma=0.05, random_state=0).fit(X)
    peer = RBFSampler(gamma=0.05, n_components=1024, random_state=0).fit(X)
    truth = pairwise.rbf_kernel(X[:500], gamma=0.05)

    def accuracy(features, theirs):
        errors = [np.sqrt(np.mean((F[:500] @ F[:500].T - truth) ** 2)) for F in (features, theirs)]
        assert errors[0] < 1.1 * errors[1], errors
        return f"root mean square error {errors[0]:.4f} against {errors[1]:.4f}"

    calls = partial(ours.transform, X), partial(peer.transform, X)
    job, peer = "1024 Fourier features n=5000 d=20 float64", "scikit-learn RBFSampler"
    return compare(job, peer, *calls, accuracy=accuracy, goal=0.4)
