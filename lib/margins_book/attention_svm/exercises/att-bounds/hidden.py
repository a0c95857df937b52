# points: 3
# corner: a solution and its multipliers, each times a factor, in both norms: the bounds meet
for seed, (kind, solver) in enumerate((("frobenius", att.frobenius_svm), ("nuclear", att.nuclear_svm)) * 2):
    dh = att.random_token_data(4, 3, 5, rng=np.random.default_rng(seed))
    sh = solver(dh, dh.optimal_tokens)
    lh = np.where(np.isposinf(sh.margins), 0.0, 1.0)
    lh[lh > 0] = sh.multipliers
    low, high = norm_bounds(dh.X, dh.Z, dh.optimal_tokens, 3 * sh.W, 7 * lh, kind)
    size = norm(sh.W, "nuc" if kind == "nuclear" else "fro")
    assert np.allclose([low, high], size, rtol=1e-6), f"{kind} {seed}: {low}, {high}, expected {size}"
