# points: 2
# corner: random sequences with labels of both signs and a W that is not symmetric
for trial in range(5):
    dice = np.random.default_rng(trial)
    X_h, Y_h, v_h, W_h = dice.normal(size=(4, 3)), dice.choice([-1.0, 1.0], size=4), dice.normal(size=3), dice.normal(size=(3, 3))
    wanted_h = att.loss_gradient(att.causal_data(X_h[None], Y_h[None], v_h), W_h)
    got_h = np.asarray(causal_gradient(X_h, Y_h, v_h, W_h))
    assert np.allclose(got_h, wanted_h, atol=1e-9), f"draw {trial}: off by {np.abs(got_h - wanted_h).max():.1e}"
