# points: 2
# corner: more keys than queries, and fewer keys than dimensions
for seed, (n, m, d) in enumerate([(12, 5, 3), (4, 9, 4), (30, 2, 6)]):
    rng = np.random.default_rng(40 + seed)
    Qh, Kh = rng.normal(size=(n, d)) + 1, 2 * rng.normal(size=(m, d)) + 3
    got = keys_from_weights(Qh, attention_weights(Qh, Kh))
    assert got.shape == (m, d), f"{m} keys in {d} dimensions: shape {got.shape}, expected {(m, d)}"
    # corner: random queries and keys whose means are not zero
    assert np.abs(got - (Kh - Kh.mean(axis=0))).max() < 1e-6, f"{n} queries, {m} keys in {d} dimensions: wrong keys"
