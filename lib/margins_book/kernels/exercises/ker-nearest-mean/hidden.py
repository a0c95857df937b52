# points: 2
few_of_one = np.r_[np.flatnonzero(y > 0), np.flatnonzero(y < 0)[:7]]
Xh, yh = 3 * X[few_of_one] + [1.0, 2.0], y[few_of_one]
asked = 3 * elsewhere + [1.0, 2.0]
lifts = [kernels.polynomial_features(Z, degree=2, coef0=1.0) for Z in (Xh, asked)]
distances = [norm(lifts[1] - lifts[0][yh == label].mean(axis=0), axis=1) for label in (1, -1)]
# corner: one class with few points, and two classes at different distances from the origin
got = nearest_mean(quadratic(Xh), yh, quadratic(Xh, asked))
wanted = np.where(distances[0] <= distances[1], 1.0, -1.0)
assert np.array_equal(got, wanted), "a large ring and few points of a small one"
