# points: 3
# corner: choices in few dimensions and in many; in some of them a token is no support token
for seed in range(20):
    data = random_token_data(2, 3, (2, 5, 20, 60)[seed % 4], rng=np.random.default_rng(seed))
    wanted = all_tokens_support(frobenius_svm(data, data.optimal_tokens))
    got = all_support(data.X, data.Z, data.optimal_tokens)
    assert bool(got) == wanted, f"random data {seed}: {got}, expected {wanted}"
