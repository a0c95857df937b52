# points: 2
# corner: many random pairs of a query and a key
for seed in range(10):
    rng_need = np.random.default_rng(100 + seed)
    q_need, k_need = 0.7 * rng_need.normal(size=4), 0.7 * rng_need.normal(size=4)
    found = np.asarray(projections_needed(q_need, k_need, 0.2), dtype=float)
    are_numbers = found.shape == (3,) and (found >= 1).all() and (found == np.round(found)).all()
    assert are_numbers, "expected three whole numbers >= 1"
    # corner: numbers that are just large enough
    for kind, m in zip(("positive", "hyperbolic", "trigonometric"), found.astype(int).tolist(), strict=True):
        allowed = (0.2 * np.exp(q_need @ k_need)) ** 2
        assert rf.softmax_feature_variance(q_need, k_need, m, kind) <= allowed * (1 + 1e-9), f"{kind}: {m} are too few"
        # corner: numbers that are no larger than needed
        fewer = rf.softmax_feature_variance(q_need, k_need, m - 1, kind) if m > 1 else np.inf
        assert fewer > allowed, f"{kind}: {m} are more than needed"
