# points: 2
# corner: from the state of no keys on, pieces of different sizes one after the other
for trial in range(3):
    dice = np.random.default_rng(trial)
    given, Vh = 500 * dice.normal(size=40), dice.normal(size=(40, 3))
    given[3] = given[11] = given.max()  # a tie between the pieces
    # corner: two states of no keys
    state = merge((-np.inf, 0.0, np.zeros(3)), (-np.inf, 0.0, np.zeros(3)))
    assert state[:2] == (-np.inf, 0.0), f"two states of no keys: peak and total {state[:2]}, expected -inf and 0"
    for piece in np.split(np.arange(40), [1, 5, 18]):
        part, top = given[piece], given[piece].max()
        state = merge(state, (float(top), float(np.exp(part - top).sum()), np.exp(part - top) @ Vh[piece]))
    wanted = attention.softmax_attention(np.ones((1, 1)), given[:, None], Vh, scale=1.0)[0]
    # corner: the peak of the union, whichever piece it comes from
    assert state[0] == given.max(), f"draw {trial}: peak {state[0]}, expected {given.max()}"
    # corner: a tie between the peaks of two pieces, and logits far too large for exp
    assert np.allclose(state[2] / state[1], wanted, atol=1e-12), f"draw {trial}: N/Z is not attention over all keys"
