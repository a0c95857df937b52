# points: 2
# corner: two keys at a distance of more than 1 from q = 0
got_h = np.asarray(partial_squares(np.array([3.0, -3]), np.array([2.0, -2]), 15), dtype=float)
tanh_h = np.zeros(16)
for m in range(15):
    tanh_h[m + 1] = ((m == 0) - tanh_h[:m + 1] @ tanh_h[m::-1]) / (m + 1)  # from f' = 1 - f^2
wanted_h = np.cumsum(4 * 9.0 ** np.arange(16) * np.cumprod([1, *range(1, 16)]) * tanh_h**2)
assert np.allclose(got_h, wanted_h, rtol=1e-9), "2 tanh(3 q) has the coefficients 2 * 3^m of those of tanh"
# corner: all values equal
level_h = np.asarray(partial_squares(np.array([0.0, 1, 4]), np.full(3, 5.0), 6), dtype=float)
assert np.allclose(level_h, 25), "equal values make a constant, whose sum is its square"
