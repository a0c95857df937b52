# points: 2
# corner: Gram matrices of low and of full rank, with tiny and with huge entries
for size in (1e-6, 1.0, 1e6):
    for Kh, rank in ((quadratic(X), 6), (linear(X), 2), (laplacian(X), 60)):
        got = features(size * Kh)
        assert np.shape(got) == (60, rank), f"rank {rank}, entries times {size}: wrong shape"
        assert np.allclose(got @ got.T, size * Kh, atol=1e-7 * size * Kh.max()), f"rank {rank}: wrong products"
    # corner: a symmetric matrix with a negative eigenvalue, with tiny and with huge entries
    assert features(size * np.sqrt(chain)) is None, f"the entrywise root of the chain times {size} is no Gram matrix"
    # corner: a negative eigenvalue that is small, but no rounding
    barely = np.array([[1, 1 + 1e-5], [1 + 1e-5, 1]])
    assert features(size * barely) is None, f"an eigenvalue of -1e-5 beside 2, all times {size}: no Gram matrix"
