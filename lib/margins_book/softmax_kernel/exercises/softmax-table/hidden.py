# points: 3
fine = np.linspace(0, math.pi, 40_001)
# corner: random tables of two and more entries, the last of which is not zero
for seed, r in enumerate([1, 2, 5, 9, 14]):
    bh = 0.8 * np.random.default_rng(60 + seed).normal(size=r + 1)
    lowest = softmax_kernel.bias_symbol(np.r_[bh[:0:-1], bh], fine).min()
    got = float(smallest_symbol(bh))
    assert abs(got - lowest) < 1e-6 * np.exp(bh).sum(), f"random table {seed}: {got:.8g}, expected {lowest:.8g}"
