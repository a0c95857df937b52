"""Training of attention and regularisation paths against torch's autograd, cvxpy and a general optimiser.

Needs the bench extra (torch). The peer of the training rows is a plain torch program that differentiates the
loss automatically, one run at a time as papers' notebooks do, and once for all runs together. Where the peer
only gets a share of the job, its time is scaled to the whole. What is asked of the book here is seconds, not
ratios: they stand in the names of the jobs.
"""

import dataclasses

import numpy as np
from scipy.optimize import NonlinearConstraint, minimize

from benchmarks.attention_svm_solvers import one_pair_at_a_time
from benchmarks.harness import compare
from margins.attention_svm import (
    concave_head,
    correlation,
    frobenius_svm,
    generalised_program,
    generalised_svm,
    nuclear_svm,
    random_start,
    random_token_data,
    regularisation_path,
    relu_head,
    selected_tokens,
    softplus_power,
    train,
)
from margins.attention_svm.excess import LogExcess

EPS = float(np.finfo(float).eps)


def rows():
    """The training rows of the speed table, each after a check that both sides take the same path."""
    yield _variants_row()
    yield from _step_rows()
    yield _local_convergence_row()
    yield _several_tokens_row()
    yield _path_row()


# --- the peer --------------------------------------------------------------------------------


def torch_train(data, start, iterations, *, step=0.1, normalised=True, ridge=0.0, head=None, phi=None):
    """The W that automatic differentiation reaches from W or a pair (K, Q), for one set of data or more."""
    import torch

    torch.set_num_threads(1)
    X, Z, Y, v = (torch.from_numpy(np.ascontiguousarray(a)) for a in (data.X, data.Z, data.Y, data.v))
    parts = start if isinstance(start, tuple) else (start,)
    parts = [torch.from_numpy(part.copy()).requires_grad_() for part in parts]
    for _ in range(iterations):
        W = parts[0] if len(parts) == 1 else parts[0] @ parts[1].mT
        logits = (X @ (Z @ W.mT)[..., None])[..., 0]  # (..., n, T)
        weights = (
            torch.softmax(logits, -1) if phi is None else phi(logits) / phi(logits).sum(-1, keepdim=True)
        )
        x = (weights[..., None, :] @ X)[..., 0, :]  # (..., n, d)
        outputs = (x @ v[..., None])[..., 0] if head is None else head(x, v)
        loss = torch.nn.functional.softplus(-Y * outputs).mean(-1).sum()
        loss = loss + ridge * sum((part * part).sum() for part in parts)
        gradients = torch.autograd.grad(loss, parts)
        with torch.no_grad():
            for part, gradient in zip(parts, gradients, strict=True):
                size = torch.linalg.matrix_norm(gradient, keepdim=True) + EPS if normalised else 1.0
                part -= step * gradient / size
    W = parts[0] if len(parts) == 1 else parts[0] @ parts[1].mT
    return W.detach().numpy()


def _scaled(row, share):
    """The row with its peer's time for `share` of the job scaled to all of it."""
    return dataclasses.replace(row, peer_seconds=row.peer_seconds / share)


def _draw(n, T, d, batch, seed=0):
    rng = np.random.default_rng(seed)
    data = random_token_data(n, T, d, rng=rng, batch=batch)
    return data, random_start(data, rng=rng), random_start(data, rng=rng, width=d)


def _of_run(start, k):
    return tuple(part[k] for part in start) if isinstance(start, tuple) else start[k]


# --- the rows --------------------------------------------------------------------------------


def _variants_row():
    """Heads and normalisers, plain and normalised, in W and (K, Q): the largest distance from autograd."""
    import torch

    data, W, KQ = _draw(6, 8, 10, 4)
    V = np.random.default_rng(1).normal(size=(5, 10))
    V_torch = torch.from_numpy(V)
    concave = (concave_head(0.3), lambda x, v: (x @ v[..., None])[..., 0] - 0.3 * (x * x).sum(-1))
    relu = (relu_head(V), lambda x, v: torch.relu(x @ V_torch.mT).sum(-1))
    softplus = (softplus_power(2), lambda a: torch.nn.functional.softplus(a) ** 2)
    cases = [({}, {}), ({"ridge": 0.01}, {"ridge": 0.01})]
    cases += [({"head": ours}, {"head": theirs}) for ours, theirs in (concave, relu)]
    cases += [({"normaliser": softplus[0]}, {"phi": softplus[1]})]
    plain = {"normalised": False}
    cases += [(ours | plain, theirs | plain) for ours, theirs in cases]
    pairs = [(start, *case) for start in (W, KQ) for case in cases]

    def accuracy(ours, theirs):
        worst = max(np.abs(a - b).max() for a, b in zip(ours, theirs, strict=True))
        assert worst < 1e-10, worst
        return f"largest difference of W after 40 steps {worst:.0e}, in {len(pairs)} variants"

    return compare(
        "training, every variant, 4 runs, 40 steps",
        "torch autograd, all runs together",
        lambda: [train(data, start, iterations=40, record=1, **ours).W[-1] for start, ours, _ in pairs],
        lambda: [torch_train(data, start, 40, **theirs) for start, _, theirs in pairs],
        accuracy=accuracy,
        repeats=3,
    )


def _step_rows():
    """A hundred runs at (6, 8, 10); W saturates after some 300 steps, (K, Q) after some 80."""
    data, W, KQ = _draw(6, 8, 10, 100)
    for name, start, steps in (("W", W, 200), ("(K, Q)", KQ, 60)):

        def ours(start=start, steps=steps):
            return train(data, start, iterations=steps, record=1).W[-1]

        def accuracy(trained, theirs):
            worst = np.abs(trained[: len(theirs)] - theirs).max()
            assert worst < 1e-10, worst
            return f"largest difference of W {worst:.0e}"

        def alone(start=start, steps=steps):
            return np.array([torch_train(data[k], _of_run(start, k), steps) for k in range(3)])

        def together(start=start, steps=steps):
            return torch_train(data, start, steps)

        job = f"training {name}, 100 runs, {steps} steps"
        yield _scaled(compare(job, "torch autograd, run by run", ours, alone, accuracy=accuracy), 3 / 100)
        yield compare(job, "torch autograd, all runs together", ours, together, accuracy=accuracy)


def _local_convergence_row():
    """The whole study of local convergence."""
    data, W, KQ = _draw(6, 8, 10, 100)

    def ours():
        runs = train(data, W, record=1), train(data, KQ, record=1, ridge=EPS)
        return runs, [[solve(data, run.tokens) for solve in (frobenius_svm, nuclear_svm)] for run in runs]

    def peer():
        trained = torch_train(data[0], W[0], 2000), torch_train(data[0], _of_run(KQ, 0), 2000, ridge=EPS)
        tokens = data[0].optimal_tokens
        return trained, [one_pair_at_a_time(data[0], tokens, norm) for norm in ("fro", "nuc") * 2]

    def accuracy(result, _):
        runs, solutions = result
        gap = max(s.gap for pair in solutions for four in pair for s in four)
        own = [
            correlation(run.W[-1], np.array([s.W for s in pair[k]])).mean()
            for k, (run, pair) in enumerate(zip(runs, solutions, strict=True))
        ]
        return f"gaps of 400 SVMs up to {gap:.0e}, mean correlations {own[0]:.4f} and {own[1]:.4f}"

    job = "local convergence (asked: 4 s): 100 runs, W and (K, Q), 2000 steps, 400 SVMs"
    return _scaled(
        compare(job, "torch and cvxpy, run by run", ours, peer, accuracy=accuracy, repeats=3), 1 / 100
    )


def _several_tokens_row():
    """A block of the study of several tokens, which has 483 such blocks."""
    import torch

    data, W, _ = _draw(3, 4, 4, 100)
    V = np.random.default_rng(1).normal(size=(100, 4, 4))
    V /= np.linalg.norm(V, axis=(1, 2), keepdims=True)
    V_torch = torch.from_numpy(V)

    def ours():
        run = train(data, W, head=relu_head(V), iterations=2001, gradient="textbook", guard=EPS, record=1)
        selected, clear = selected_tokens(run.weights[-1])
        svms = [generalised_svm(data[b], selected[b], run.weights[-1, b]) for b in np.flatnonzero(clear)]
        return run, clear, selected, svms

    run, clear, selected, _ = ours()
    example = int(np.flatnonzero(clear & (selected.sum(axis=(1, 2)) > 3))[0])

    def peer():
        trained = torch_train(
            data[example], W[example], 2001, head=lambda x, v: torch.relu(x @ V_torch[example].mT).sum(-1)
        )
        programs = generalised_program(
            data[example], selected[example], run.weights[-1, example], solver="SCS"
        )
        return trained, programs

    def accuracy(result, _):
        svms = [s for s in result[3] if s.status == "optimal"]
        worst = max(s.directional.gap for s in svms)
        return f"{len(svms)} accepted, gaps up to {worst:.0e}"

    job = "several tokens (asked: 6 min for 483 blocks): 100 candidates, 2001 steps, SVMs"
    return _scaled(
        compare(job, "torch and cvxpy, run by run", ours, peer, accuracy=accuracy, repeats=3), 1 / 100
    )


def _slsqp_path(objective, radii):
    """The best of eight random starts, and of the last radius's point, in each ball: factors K, Q flat."""
    rng, points = np.random.default_rng(0), []
    for R in radii:
        ball = NonlinearConstraint(lambda p: p @ p, 0, 2 * R, jac=lambda p: 2 * p)
        starts = [*rng.normal(size=(8, 18)), *(p * np.sqrt(R / (p @ p / 2)) for p in points[-1:])]
        options = {"method": "SLSQP", "jac": True, "constraints": ball}
        limits = {"maxiter": 500, "ftol": 1e-12}
        runs = [minimize(objective, start, **options, options=limits) for start in starts]
        points.append(min(runs, key=lambda run: run.fun if run.x @ run.x < 2 * R * 1.001 else np.inf).x)
    return points


def _path_row():
    """The path of (K, Q) over seven radii: its distance from the limit, times the radius, settles."""
    data = random_token_data(3, 4, 3, rng=np.random.default_rng(0))
    solution = nuclear_svm(data, data.optimal_tokens)
    radii = np.array([3.0, 10, 30, 100, 300, 1000, 3000]) / solution.margin
    excess = LogExcess(data)

    def ours():
        path = regularisation_path(data, radii, rng=np.random.default_rng(0), width=3)
        return path.W, path.log_excess

    def objective(p):
        K, Q = p.reshape(2, 3, 3)
        value, G = excess(K @ Q.T)
        return value, np.concatenate([(G @ Q).ravel(), (G.T @ K).ravel()])

    def peer():
        points = _slsqp_path(objective, radii)
        factors = np.array(points).reshape(-1, 2, 3, 3)
        return factors[:, 0] @ factors[:, 1].transpose(0, 2, 1), [objective(p)[0] for p in points]

    def accuracy(own, theirs):
        distances = [
            np.linalg.norm(W[-1] / radii[-1] - solution.W * solution.margin) * 3000 for W, _ in (own, theirs)
        ]
        worse = np.max(np.array(theirs[1]) - own[1])
        reached = f"R Gamma times distance {distances[0]:.3f} against {distances[1]:.3g}"
        return f"{reached}, log excess up to {worse:.1g} lower"

    job = "regularisation path of (K, Q), (3, 4, 3), 7 radii, 8 starts"
    return compare(job, "SLSQP from the same starts", ours, peer, accuracy=accuracy, repeats=3)
