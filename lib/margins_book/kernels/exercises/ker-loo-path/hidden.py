# points: 3
# corner: penalties in falling order
falling = np.geomspace(100, 1e-4, 11)
for name, k in (("Gaussian", gaussian), ("Laplacian", laplacian)):
    left_out = [kernels.leave_one_out_residuals(k(W), wave_y, penalty=p) for p in falling]
    got, wanted = leave_one_out_path(k(W), wave_y, falling), np.mean(np.square(left_out), axis=1)
    assert np.allclose(got, wanted, rtol=1e-6), f"{name} kernel, penalties falling: {got}, expected {wanted}"
# corner: every point twice, so that K is singular
doubled = np.r_[W, W]
got = leave_one_out_path(gaussian(doubled), np.r_[wave_y, wave_y], np.array([1.0]))
rest = np.arange(60) != 0
seen = kernels.kernel_ridge(gaussian(doubled[rest]), np.r_[wave_y, wave_y][rest], penalty=1.0)
first = wave_y[0] - gaussian(doubled[:1], doubled[rest])[0] @ seen
every = kernels.leave_one_out_residuals(gaussian(doubled), np.r_[wave_y, wave_y], penalty=1.0)
assert abs(first - every[0]) < 1e-10, "every point twice: the formula"
assert abs(got[0] / np.mean(every**2) - 1) < 1e-6, "every point twice"
