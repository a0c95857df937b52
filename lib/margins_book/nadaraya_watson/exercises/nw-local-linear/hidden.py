# points: 3
# corner: a query at the edge of the keys
kh = np.sort(np.random.default_rng(9).uniform(0, 1, 20_000))
for hh in (0.05, 0.1):
    lean = local_line(np.zeros(1), kh, np.sin(2 * kh + 0.5), hh)[0] - np.sin(0.5)
    crude = attention.nadaraya_watson([0.0], kh, np.sin(2 * kh + 0.5), hh)[0] - np.sin(0.5)
    assert abs(lean) < 0.1 * abs(crude), f"h = {hh}: bias at the edge {lean:.4f}, that of the constant {crude:.4f}"
# corner: unevenly spaced keys with noisy values, narrow and wide bandwidths
kh, vh = noisy_sine(40, 9)
qh = np.linspace(-2.5, 2.5, 31)
for hh in (0.3, 1.0):
    roots_h = np.exp(-((qh[:, None] - kh) ** 2) / (4 * hh**2))
    wanted = [np.linalg.lstsq(np.c_[r, r * (kh - q)], r * vh)[0][0] for r, q in zip(roots_h, qh, strict=True)]
    assert np.allclose(local_line(qh, kh, vh, hh), wanted, atol=1e-8), f"h = {hh}: not the weighted line's value"
