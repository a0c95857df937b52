# points: 2
# corner: random stacks with d_k smaller and larger than d, tokens close and far apart
for trial in range(8):
    dice = np.random.default_rng(trial)
    d_h, narrow = int(dice.integers(1, 5)), int(dice.integers(1, 7))
    stack = [(dice.normal(size=(d_h, narrow)), dice.normal(size=(d_h, narrow)), dice.normal(size=(d_h, d_h)))
             for _ in range(4)]
    start = 10.0 ** dice.uniform(-1, 1)
    wanted, reach = [], start
    for W_q, W_k, W_v in stack:
        largest = np.linalg.svd(W_v)[1][0]
        cube = np.linalg.svd(W_q @ W_k.T)[1][0] * largest * reach**3 / 4 / narrow**0.5
        reach = min(largest * reach, cube)
        wanted.append(reach)
    got = np.asarray(bounds_after(start, stack))
    assert got.shape == (4,), f"draw {trial}: shape {got.shape}, expected (4,)"
    assert np.allclose(got, wanted, rtol=1e-8, atol=0), f"draw {trial}: bounds {got}, expected {wanted}"
# corner: no layer
assert np.shape(bounds_after(1.0, [])) == (0,), "no layers: an empty array is expected"
