# points: 2
# corner: the twelve points, one step and many; points that no line through the origin separates
scattered = np.random.default_rng(3).normal(size=(7, 3))
for Zh, steps in ((labels[:, None] * points, 1), (labels[:, None] * points, 1000), (scattered, 60)):
    signs = np.resize([1.0, -1.0], len(Zh))
    found = descent.logistic_descent(signs[:, None] * Zh, signs, steps, record=[steps]).weights[-1]
    got_w, shares = pulls(Zh, steps)
    assert np.allclose(got_w, found, atol=1e-8), f"{len(Zh)} points, {steps} steps: w = {got_w}, expected {found}"
    wanted = np.exp(-np.logaddexp(0, Zh @ found))
    is_right = np.allclose(shares, wanted / wanted.sum(), atol=1e-8)
    assert is_right, f"{len(Zh)} points, {steps} steps: the shares are wrong"
