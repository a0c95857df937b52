# points: 1
# corner: random matrices, with no two at right angles
for trial in range(8):
    F_h, M_h, G_h = np.random.default_rng(trial).normal(size=(3, 4, 4))
    C_h = best_coefficient(F_h, M_h, G_h)
    grid_h = np.tan(np.linspace(-1.57, 1.57, 4001))
    values_h = correlation(F_h + grid_h[:, None, None] * M_h, G_h)
    interior = 0 < values_h.argmax() < 4000
    # corner: whether some C is the best, or the correlation rises towards an end of the line
    assert interior == np.isfinite(C_h), f"draw {trial}: a best C exists: {interior}, but got {C_h}"
    # corner: F and M that are not at right angles, where one C is the best
    assert not interior or correlation(F_h + C_h * M_h, G_h) >= values_h.max() - 1e-12, f"draw {trial}: C = {C_h:.4f} is beaten"
