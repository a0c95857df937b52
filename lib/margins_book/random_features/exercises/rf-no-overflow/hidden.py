# points: 3
# corner: tokens from short to very long, whose exponents are far too large or too small for exp
for seed, size in enumerate((0.3, 5.0, 80.0, 500.0)):
    rng_perf = np.random.default_rng(200 + seed)
    Q_perf, K_perf, V_perf = size * rng_perf.normal(size=(30, 5)), size * rng_perf.normal(size=(40, 5)), rng_perf.normal(size=(40, 3))
    omega_perf = rf.projections(16, 5, rng=seed)
    wanted_perf = rf.performer_attention(Q_perf, K_perf, V_perf, omega_perf, scale=1.0)
    got_perf = np.asarray(performer(Q_perf, K_perf, V_perf, omega_perf), dtype=float)
    assert np.isfinite(got_perf).all(), f"size {size}: NaN or infinity"
    # corner: long tokens, of which each query needs other features than the next
    assert np.allclose(got_perf, wanted_perf, atol=1e-6), f"size {size}: off by {np.abs(got_perf - wanted_perf).max():.2g}"
