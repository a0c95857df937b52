# points: 3
Xh, yh = two_clouds(10, (0.5, 0.3), seed=4)
Xh[5] = Xh[0]  # equal points with different labels
Kh, ah = linear(Xh), np.zeros(10)
# corner: two equal points with different labels, so that there is no curvature
assert np.allclose(pair_step(ah, 0, 5, Kh, yh, 0.7)[[0, 5]], 0.7), "equal points, opposite labels: go to the wall"
rng, taus = np.random.default_rng(4), np.linspace(-0.7, 0.7, 141)[:, None]
# corner: many steps one after the other, some of them cut short by a wall of the box
for i, j in (rng.choice(10, size=2, replace=False).tolist() for _ in range(40)):
    moves = ah + taus * (yh[i] * np.eye(10)[i] - yh[j] * np.eye(10)[j])  # (141, n), of this pair
    ah = pair_step(ah, i, j, Kh, yh, 0.7)
    inside = abs(yh @ ah) < 1e-9 and ah.min() > -1e-9 and ah.max() < 0.7 + 1e-9
    assert inside, f"after a step on {i} and {j} from a feasible point the balance or the box is lost"
    allowed = moves[((moves > -1e-9) & (moves < 0.7 + 1e-9)).all(axis=1)]
    signed = allowed * yh  # (moves, n)
    reached = allowed.sum(axis=1) - ((signed @ Kh) * signed).sum(axis=1) / 2  # (moves,)
    missed = reached.max() - svm.dual_objective(Kh, yh, ah)
    assert missed < 1e-7, f"some other step on {i} and {j} raises the dual {missed:.2g} higher"
