# points: 2
# corner: random tokens, for which other tokens limit the rate, or none does
for trial in range(8):
    dice = np.random.default_rng(trial)
    X_h, e_h = dice.normal(size=(4, 4)), dice.normal(size=4)
    e_h /= norm(e_h)
    twin_h = np.vstack([X_h, X_h[0] - 1e-5 * e_h])
    machine_h = att.frobenius_svm(att.TokenData(twin_h[None], [[1.0, 0, 0, 0]], [1], e_h), np.array([0]))
    got_h = float(collapse_rate(X_h, 0, e_h))
    assert abs(got_h - machine_h.margin / 1e-5) < 1e-2 * max(got_h, 0.1), f"draw {trial}: {got_h:.5f}, expected {machine_h.margin / 1e-5:.5f}"
