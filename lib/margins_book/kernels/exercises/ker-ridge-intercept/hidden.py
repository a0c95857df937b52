# points: 3
# corner: small and large penalties, and a K that is positive semi-definite only on vectors of sum zero
for penalty in (0.01, 1.0, 30.0):
    for Kh in (gaussian(W), cubic(W), -np.abs(W - W.T)):
        a_h, b_h = ridge_with_intercept(Kh, wave_y + 5, penalty)
        a_h = np.asarray(a_h)
        # corner: labels and features whose means are not zero
        assert abs(a_h.sum()) < 1e-8 * max(1, np.abs(a_h).sum()), f"penalty {penalty}: the coefficients do not sum to zero"
        left = wave_y + 5 - Kh @ a_h - b_h - penalty * a_h
        assert np.abs(left).max() < 1e-7, f"penalty {penalty}: (K + penalty I) a + b misses y by {np.abs(left).max():.2g}"
