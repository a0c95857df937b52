# points: 3
# corner: a symmetric and singular M, whose zero eigenvalues must be told from a small negative one
for seed in range(6):
    rng = np.random.default_rng(50 + seed)
    WQh, turnh = rng.normal(size=(5, 3)), rng.normal(size=(3, 3))
    signs = np.diag([1.0, 1.0, 1.0 if seed % 2 else -0.01])
    WKh = WQh @ turnh @ signs @ turnh.T  # M is symmetric, and PSD for odd seeds
    got, M = two_tokens(WQh, WKh), WQh @ WKh.T
    assert (got is None) == bool(seed % 2), f"random matrices {seed}: None is {'' if seed % 2 else 'not '}expected"
    if got is not None:
        # corner: a negative eigenvalue that is small beside the largest
        assert np.shape(got) == (2, 5), f"random matrices {seed}: shape {np.shape(got)}, expected (2, 5)"
        logits = got @ M @ got.T
        assert np.trace(logits) < logits[0, 1] + logits[1, 0] - 1e-9, f"random matrices {seed}: the tokens show nothing"
    # corner: M is not symmetric, and no eigenvalue of its symmetric part is negative
    twist = rng.normal(size=(3, 3))
    got = two_tokens(WQh, WQh @ (np.eye(3) + twist - twist.T))
    assert got is not None, f"random matrices {seed}: M is not symmetric, but got None"
    logits = got @ WQh @ (np.eye(3) - twist + twist.T) @ WQh.T @ got.T
    assert abs(logits[0, 1] - logits[1, 0]) > 1e-9, f"random matrices {seed}: on these tokens M looks symmetric"
