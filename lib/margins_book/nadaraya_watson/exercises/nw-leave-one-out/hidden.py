# points: 2
# corner: several bandwidths in one call
for trial in range(3):
    kh, vh = noisy_sine(30, trial)
    kh[7] = kh[8]  # two keys at one place
    hs = np.array([1e-4, 0.05, 0.3, 2.0, 50.0])
    shuffled = np.random.default_rng(trial).permutation(30)
    wanted = attention.loo_errors(kh, vh, hs)[1]
    got = left_out(kh[shuffled], vh[shuffled], hs)
    assert np.shape(got) == (5,), f"draw {trial}: shape {np.shape(got)}, expected (5,)"
    # corner: keys in no order, two of them at one place; bandwidths far below and far above their distances
    assert np.allclose(got, wanted, rtol=1e-8), f"draw {trial}: errors {got}, expected {wanted}"
