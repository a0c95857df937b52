# points: 1
# corner: p below 2, equal to 2 and above 2, and a W with entries of both signs
for p in (1.5, 2.0, 4.0):
    one_h = att.random_token_data(2, 3, 3, rng=np.random.default_rng(int(10 * p)))
    W_h = np.random.default_rng(0).normal(size=(3, 3))
    wanted_h = mirror.mirror_descent(one_h, p, start=W_h, iterations=1, step=0.3)
    got_h = np.asarray(mirror_step(W_h, att.loss_gradient(one_h, W_h), p, 0.3))
    assert np.allclose(got_h, wanted_h, atol=1e-9), f"p = {p}: off by {np.abs(got_h - wanted_h).max():.1e}"
