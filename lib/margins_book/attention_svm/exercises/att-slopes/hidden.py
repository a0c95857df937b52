# points: 2
# corner: three different numbers, of sequences, of tokens and of dimensions
for seed in range(3):
    dh = att.random_token_data(5, 4, 3, rng=np.random.default_rng(seed))
    Wh = np.random.default_rng(seed + 10).normal(size=(3, 3)) * (1.0, 20.0, 3000.0)[seed]
    got = np.asarray(attention_gradient(dh.X, dh.Z, dh.Y, dh.v, Wh))
    assert got.shape == (3, 3), f"data {seed}: shape {got.shape}, expected (3, 3)"
    # corner: random problems, with logits of ordinary size and with logits in the thousands
    assert np.allclose(got, att.loss_gradient(dh, Wh), rtol=1e-7, atol=1e-13), f"data {seed}: {got}"
