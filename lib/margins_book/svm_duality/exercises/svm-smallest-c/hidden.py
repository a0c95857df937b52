# points: 3
# corner: random clouds that a line separates
for seed in (3, 4, 6):
    Xh, yh = two_clouds(20, (1.6, 1.0), seed)
    end = smallest_c(Xh, yh)
    wh = (svm.smo(linear(Xh), yh).alpha * yh) @ Xh
    short, beyond = ((svm.smo(linear(Xh), yh, share * end).alpha * yh) @ Xh for share in (0.99, 1.001))
    # corner: a C slightly larger than the answer, where the soft machine must be the hard one
    assert norm(beyond - wh) < 1e-6 * norm(wh), f"clouds {seed}: not yet hard a thousandth above {end}"
    # corner: a C slightly smaller than the answer, where it must not be
    assert norm(short - wh) > 1e-4 * norm(wh), f"clouds {seed}: already hard a hundredth below {end}"
