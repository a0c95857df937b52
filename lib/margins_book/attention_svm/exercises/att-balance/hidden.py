# points: 2
# corner: factors with as many columns as rows, with fewer and with more
for seed, (dh, mh) in enumerate(((4, 4), (5, 2), (2, 6))):
    Kh, Qh = np.random.default_rng(seed).normal(size=(2, dh, mh)) * np.array([[[10.0]], [[0.1]]])
    left, right = map(np.asarray, balance(Kh, Qh))
    assert left.shape == right.shape == (dh, mh), f"{dh} x {mh}: shapes {left.shape} and {right.shape}"
    # corner: one factor much longer than the other
    assert np.allclose(left @ right.T, Kh @ Qh.T), f"{dh} x {mh}: another product"
    assert np.allclose(left.T @ left, right.T @ right), f"{dh} x {mh}: not balanced"
