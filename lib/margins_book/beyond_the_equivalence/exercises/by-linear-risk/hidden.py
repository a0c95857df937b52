# points: 1
# corner: random tasks that are not equally likely and whose mean is not zero
for trial in range(5):
    dice = np.random.default_rng(trial)
    G_h, q_h, prior_h = dice.normal(size=(4, 3)), dice.normal(size=4), dice.dirichlet(np.ones(4))
    rows_h = np.vstack([np.sqrt(prior_h)[:, None] * G_h, 0.7 * np.eye(3)])
    goal_h = np.append(np.sqrt(prior_h) * q_h, np.zeros(3))
    wanted_h = np.sum((goal_h - rows_h @ lstsq(rows_h, goal_h)[0]) ** 2)
    assert np.isclose(linear_risk(G_h, q_h, 0.7, prior_h), wanted_h), f"draw {trial}: expected {wanted_h:.6f}"
