# points: 3
# corner: random problems in two and more dimensions
for seed in range(8):
    dh = att.random_token_data(3, 4, 2 + seed % 3, rng=np.random.default_rng(seed))
    wanted = att.frobenius_svm(dh, dh.optimal_tokens)
    got = attention_svm(5 * dh.X, dh.Z, dh.optimal_tokens)
    if wanted.feasible:
        # corner: tokens that are several times longer, so that the machine is shorter
        assert got is not None, f"data {seed}: some W exists, but got None"
        assert np.allclose(5 * np.asarray(got), wanted.W, rtol=1e-5, atol=1e-6), f"data {seed}: {got}"
    else:
        # corner: no W puts all chosen tokens ahead
        assert got is None, f"data {seed}: no W exists, but got {got}"
