# points: 3
# corner: logits of ordinary size, and logits so far apart that the exponential of their gap underflows
for seed, size in enumerate((1.0, 30.0, 2000.0)):
    ah, gh = np.random.default_rng(seed).normal(size=(2, 6)) * np.array([[size], [1.0]])
    q, c = stable_pulls(ah.copy(), gh.copy())
    shifted, _ = stable_pulls(ah + 5.0, gh - 3.0)
    assert np.shape(q) == (6,), f"seed {seed}: q = {q}"
    assert 1e-6 < np.abs(q).max() < 1e6, f"seed {seed}: q = {q}"
    # corner: the sum of all pulls, also where the leader's weight rounds to 1
    assert abs(np.sum(q)) < 1e-12 * np.abs(q).max(), f"seed {seed}: the pulls add up to {np.sum(q)}"
    # corner: one number added to all logits, and another to all scores
    assert np.allclose(np.divide(q, np.abs(q).max()), np.divide(shifted, np.abs(shifted).max()), atol=1e-9), f"seed {seed}"
