# points: 4
# corner: the identity with turned keys, a solution of full rank that is not symmetric
for d in (4, 7):
    turn, _ = np.linalg.qr(np.random.default_rng(d).normal(size=(d, d)))
    W = lower_rank(turn, turn.T, np.eye(d))  # the case of the identity, keys turned
    margins = ((turn.T @ W) * np.eye(d)).sum(axis=1)
    assert margins.min() > 1 - 1e-5, f"turned identity {d}: a margin is {margins.min():.4g}, below 1"
    k = (margins < 1 + 1e-6).sum()
    rank = np.linalg.matrix_rank(W, tol=1e-5)
    assert abs(norm(W, "nuc") - d) < 1e-5, f"turned identity {d}: the nuclear norm is {norm(W, 'nuc'):.6g}"
    assert rank * (rank + 1) / 2 <= k, f"turned identity {d}: rank {rank}, {k} pairs"
