# points: 3
# corner: the rows in different orders
for order in (np.arange(len(Z)), np.roll(np.arange(len(Z)), -2)):  # any row may come first
    got = homogeneous_svm(Z[order])
    is_right = got is not None and np.allclose(got, u_star / gamma, atol=1e-6)
    assert is_right, "eight points that have a w: it is wrong"
# corner: no w exists, and rounding hides it
xor = np.array([[1.0, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]])  # rows y_i (x_i, 1)
assert homogeneous_svm(xor) is None, "XOR has no w"
# corner: rows that are all 0
assert homogeneous_svm(np.zeros((2, 2))) is None, "rows that are all 0 have no w"
