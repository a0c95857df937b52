# points: 1
# corner: many random rows of different lengths, with angles below and above a right one
for trial in range(40):
    dice_h = np.random.default_rng(trial)
    a1_h, a2_h = dice_h.normal(size=(2, 4)) * dice_h.uniform(0.2, 3, size=(2, 1))
    lost_h = (-(a1_h @ a2_h) > a2_h @ a2_h, -(a1_h @ a2_h) > a1_h @ a1_h)
    assert tuple(bool(one) for one in traps(a1_h, a2_h)) == lost_h, f"draw {trial}: expected {lost_h}"
