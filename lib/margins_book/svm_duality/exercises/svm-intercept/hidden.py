# points: 2
# corner: overlapping clouds with many multipliers at the bound C, and a tiny C at which none is free
for seed, price in [(0, 0.05), (1, 0.3), (2, 5.0), (3, 1e-4)]:
    Xh, yh = two_clouds(30, (0.7, 0.4), seed)
    hidden = svm.smo(linear(Xh), yh, price)
    got, wanted = intercept(hidden.alpha, Xh, yh, price), sum(hidden.b_interval) / 2
    assert abs(got - wanted) < 1e-6, f"two clouds {seed}, C = {price}: b = {got}, expected {wanted:.6g}"
