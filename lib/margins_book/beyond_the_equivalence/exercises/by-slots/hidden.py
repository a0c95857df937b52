# points: 1
# corner: no layer at all, one layer, and several
for trial in range(6):
    dice = np.random.default_rng(trial)
    X_h, y_h, q_h = dice.normal(size=(7, 3)), dice.normal(size=7), dice.normal(size=3)
    eta_h, w_h = 0.05, np.zeros(3)
    for _ in range(trial):
        w_h = w_h + eta_h * X_h.T @ (y_h - X_h @ w_h)
    wanted_h = np.append(y_h - X_h @ w_h, -q_h @ w_h)
    assert np.allclose(slots_after(X_h, y_h, q_h, eta_h, trial), wanted_h), f"draw {trial}: not the slots of {trial} layers"
