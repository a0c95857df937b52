# points: 2
# corner: two projections, the fewest there can be, and many
rng_jack = np.random.default_rng(13)
for m_jack in (2, 7, 30):
    Q_jack, K_jack, V_jack = 0.5 * rng_jack.normal(size=(1, 3)), 0.5 * rng_jack.normal(size=(8, 3)), rng_jack.normal(size=(8, 2))
    omega_jack = rf.projections(m_jack, 3, rng=m_jack)
    on_query, on_keys = rf.softmax_features(Q_jack, omega_jack), rf.softmax_features(K_jack, omega_jack)
    N_jack, Z_jack = on_query[0][:, None] * (on_keys.T @ V_jack), on_query[0] * on_keys.sum(axis=0)
    wanted_jack = rf.jackknife_attention(on_query, on_keys, V_jack, m_jack)[0]
    got_jack = np.asarray(jackknife(N_jack, Z_jack), dtype=float)
    assert got_jack.shape == (2,), f"m = {m_jack}: expected an answer of shape (2,), but got {got_jack.shape}"
    # corner: values with several coordinates, from two projections and from many
    assert np.allclose(got_jack, wanted_jack, rtol=1e-8), f"m = {m_jack}: {got_jack}, expected {wanted_jack}"
