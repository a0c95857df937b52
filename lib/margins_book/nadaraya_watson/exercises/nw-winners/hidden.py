# points: 3
# corner: many keys, around the origin or all far to one side of it; some occur more than once
for trial in range(4):
    dice = np.random.default_rng(trial)
    kh = dice.normal(size=(25, 2)) + np.array([0, 30.0 * (trial % 2)])
    kh = np.vstack([kh, kh[:1], kh[attention.winning_keys(kh)][:1]])  # an arbitrary key and a winner, twice
    wanted = attention.winning_keys(kh)
    got = np.asarray(winners(kh))
    assert got.shape == (27,), f"draw {trial}: shape {got.shape}, expected (27,)"
    expected = f"expected {np.flatnonzero(wanted)}"
    assert (got.astype(bool) == wanted).all(), f"draw {trial}: winners {np.flatnonzero(got)}, {expected}"
# corner: many keys on the sides of the hull, which tie with its corners and win nowhere
grid = np.array([(i, j) for i in range(4) for j in range(5)], dtype=float)
found = np.flatnonzero(np.asarray(winners(grid)).astype(bool)).tolist()
assert found == [0, 4, 15, 19], f"a grid of 4 by 5 keys: winners {found}, expected its corners [0, 4, 15, 19]"
