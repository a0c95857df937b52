# points: 2
# corner: weights on the simplex, more units than tokens
for trial in range(6):
    dice = np.random.default_rng(trial)
    X_h, V_h = dice.normal(size=(5, 6)), dice.normal(size=(8, 6))
    s_h = np.asarray(relu_mixture(X_h, V_h))
    assert s_h.shape == (5,), f"draw {trial}: the weights have the shape {s_h.shape}"
    off_h = max(-s_h.min(), abs(s_h.sum() - 1))
    assert off_h < 1e-9, f"draw {trial}: not on the simplex"
    # corner: heads that some mixture silences, and heads that none does
    rivals_h = dice.dirichlet(np.full(5, 0.5), size=4000)
    least_h = np.maximum(rivals_h @ X_h @ V_h.T, 0).sum(axis=1).min()
    assert np.maximum(V_h @ X_h.T @ s_h, 0).sum() < least_h + 1e-7, f"draw {trial}: a random mixture is better"
