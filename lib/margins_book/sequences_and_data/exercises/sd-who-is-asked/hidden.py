# points: 2
# corner: weights a little below a thousandth and a little above
for low_h, seen_h in ((0.0008, False), (0.0012, True)):
    got_h = np.asarray(asked_queries(np.array([[[0, 1.0], [0, 1]], [[1 - low_h, low_h], [0, 1]]]), False))
    assert got_h.tolist() == [[True, seen_h], [True, False]], f"a weight of {low_h}: {got_h.astype(int).tolist()}"
# corner: four layers of random weights, many of them zero, with and without residual connections
for trial in range(8):
    dice, with_h = np.random.default_rng(trial), bool(trial % 2)
    weights_h = dice.random(size=(4, 5, 5)) * (dice.random(size=(4, 5, 5)) < 0.3) + 1e-5
    weights_h /= weights_h.sum(axis=-1, keepdims=True)
    wanted_h = layers.asked_positions(list(weights_h), residual=with_h)
    got_h = np.asarray(asked_queries(weights_h, with_h))
    assert got_h.tolist() == wanted_h.tolist(), f"draw {trial}: {got_h.astype(int).tolist()}"
