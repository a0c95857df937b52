# points: 2
# corner: several draws of two clouds; left out, some support vectors are errors and some are not
for seed in range(10):
    Xh, yh = separable_clouds(12, (1.6, 1.1), seed, spread=1.0)
    suspects, errors = (sorted(np.array(part, dtype=int)) for part in leave_one_out(Xh, yh))
    wanted = [np.flatnonzero(svm.smo(linear(Xh), yh).alpha > 1e-9).tolist(), []]
    for i in wanted[0]:
        rest = np.arange(12) != i
        hidden = svm.smo(linear(Xh[rest]), yh[rest])
        f = linear(Xh[[i]], Xh[rest]) @ (hidden.alpha * yh[rest]) + hidden.b
        wanted[1] += [i] if yh[i] * f[0] <= 0 else []
    assert [suspects, errors] == wanted, f"two clouds {seed}: {suspects}, {errors}, expected {wanted}"
