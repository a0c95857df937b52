# points: 2
# corner: every number of tokens from one to all, with a lambda just inside and just outside of both ends
for trial in range(5):
    scores_h = np.random.default_rng(trial).normal(size=7)
    for m_h in range(1, 8):
        low_h, high_h = sharing_range(scores_h, m_h)
        assert 0 <= low_h <= high_h, f"draw {trial}, m = {m_h}: from {low_h} to {high_h} is no range of lambda > 0"
        for lam_h, inside_h in ((1.001 * low_h + 1e-9, True), (0.999 * low_h, False), (0.999 * min(high_h, 50), True), (1.001 * high_h, False)):
            if 0 < lam_h < 60:
                got_h = (sparsemax(scores_h / (2 * lam_h)) > 0).sum() == m_h
                assert got_h == inside_h, f"draw {trial}, m = {m_h}: at lambda = {lam_h:.4f} exactly m share: {got_h}"
