# points: 2
Xh, Yh = np.random.default_rng(30).normal(size=(6, 3)), np.random.default_rng(31).normal(size=(4, 3))
# corner: two sets of different numbers of points
for p, c in ((3, 0.5), (6, 1.7)):
    target = sum((c * Xh @ Yh.T) ** k / math.factorial(k) for k in range(p + 1))
    got = features(Xh, p, c) @ features(Yh, p, c).T
    assert got.shape == (6, 4), f"degree {p}: the products have shape {got.shape}, expected (6, 4)"
    # corner: higher degrees in three dimensions, with a scale that is not 1
    assert np.allclose(got, target, rtol=1e-8, atol=1e-8), f"degree {p}, scale {c}: the products are wrong"
