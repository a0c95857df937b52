# points: 2
# corner: four tokens a sequence, so that the second best is not the worst
for seed in range(12):
    data = gaussian_data(3, 4, 3, seed)
    bound = margin_bound(data.X, data.Z, data.Y, data.v)
    leads = np.diff(np.sort(data.scores, axis=1))[:, -1]
    wanted = leads.min() / norm(query_separator(data)) / norm(data.v)
    assert bound <= frobenius_svm(data, data.optimal_tokens).margin * (1 + 1e-9), f"data {seed}: not a lower bound"
    # corner: the largest bound that the argument gives, on random problems of ordinary size
    assert abs(bound / wanted - 1) < 1e-6, f"data {seed}: {bound}, expected {wanted}"
