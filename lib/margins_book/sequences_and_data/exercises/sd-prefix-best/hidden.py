# points: 1
# corner: random sequences with labels of both signs, which turn the order of the scores round
for trial in range(6):
    dice = np.random.default_rng(trial)
    X_h, Y_h, v_h = dice.normal(size=(1, 6, 3)), dice.choice([-1.0, 1.0], size=(1, 6)), dice.normal(size=3)
    wanted_h = att.causal_data(X_h, Y_h, v_h)
    wanted_h = np.where(wanted_h.allowed, wanted_h.scores, -np.inf).argmax(axis=1)
    got_h = np.asarray(prefix_best(X_h[0] @ v_h, Y_h[0]))
    assert got_h.tolist() == wanted_h.tolist(), f"draw {trial}: {got_h.tolist()}, expected {wanted_h.tolist()}"
