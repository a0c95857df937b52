# points: 1
# corner: targets between the two answers, above both and below both
for trial in range(10):
    dice = np.random.default_rng(trial)
    one_h, two_h = dice.exponential(size=(2, 5))
    v_h = dice.normal(size=5)
    heads_h = sorted([one_h @ v_h / one_h.sum(), two_h @ v_h / two_h.sum()])
    for t_h, inside_h in ((0.3 * heads_h[0] + 0.7 * heads_h[1], True), (heads_h[1] + 0.1, False), (heads_h[0] - 0.1, False)):
        c_h = loud_enough(one_h, two_h, v_h, t_h)
        assert np.isfinite(c_h) == inside_h, f"draw {trial}: is there a factor?"
        # corner: a target between the answers, whichever of the heads answers more
        mixed_h = one_h + (c_h if inside_h else 0) * two_h
        assert not inside_h or (c_h > 0 and np.isclose(mixed_h @ v_h / mixed_h.sum(), t_h)), f"draw {trial}: {c_h}"
