# points: 2
# corner: points in one, two and more dimensions, on which the scale depends
for trial, (width, gh) in enumerate([(1, 2.0), (2, 0.3), (5, 0.1)]):
    dice = np.random.default_rng(trial)
    Xh = dice.normal(size=(40, width))
    yh = np.where(Xh[:, 0] + 0.8 * dice.normal(size=40) > 0.3, 1.0, -1.0)
    fitted = svm.smo(kernels.gaussian(Xh, gamma=gh), yh, 2.0)
    kh, vh = head_of(Xh, fitted.alpha * yh, fitted.b, gh)
    ask = 2 * dice.normal(size=(500, width))
    lifted_ask = np.column_stack([ask, (ask**2).sum(axis=1), np.ones(500)])
    out = attention.softmax_attention(lifted_ask, np.asarray(kh), np.reshape(vh, (-1, 1)))[:, 0]
    fh = kernels.gaussian(ask, Xh, gamma=gh) @ (fitted.alpha * yh) + fitted.b
    clear = np.abs(fh) > 1e-6 * np.abs(fh).max()
    same = np.sign(out[clear]) == np.sign(fh[clear])
    assert same.all(), f"a machine in {width} dimensions: {np.mean(~same):.1%} of the signs are wrong"
