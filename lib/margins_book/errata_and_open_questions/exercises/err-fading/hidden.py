# points: 1
# corner: either token may be the longer one
for trial in range(20):
    dice_h = np.random.default_rng(trial)
    x_h, z_h = dice_h.normal(size=(2, 4)), dice_h.normal(size=4)
    first_h = x_h[0] @ x_h[0] > x_h[1] @ x_h[1]
    won_h, lost_h = x_h if first_h else x_h[::-1]
    winner_h, limit_h = fading(*x_h, z_h)
    assert winner_h == (1 if first_h else 2), f"draw {trial}: the longer token wins"
    # corner: tokens that are not at right angles, and a query whose length is not 1
    through_h = 2 * (won_h @ won_h) / ((won_h - lost_h) @ (won_h - lost_h) * (z_h @ z_h))
    assert abs(limit_h * ((won_h - lost_h) @ won_h) - through_h) < 1e-8 * through_h, f"draw {trial}: another limit"
