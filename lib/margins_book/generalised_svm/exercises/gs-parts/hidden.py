# points: 2
# corner: any number of kept tokens, from one, which leaves no equations, to all but one
for trial in range(12):
    dice = np.random.default_rng(trial)
    X_h, kept_h = dice.normal(size=(5, 3)), np.arange(5) < dice.integers(1, 5)
    p_h = np.where(kept_h, dice.dirichlet(np.ones(5)), 0)
    query_h = engine.TokenData(X_h[None], [[1.0, 0, 0]], [1], [1.0, 0, 0])
    wanted_h = generalised_svm(query_h, kept_h[None], p_h[None])
    finite_h, along_h = both_parts(X_h, kept_h, p_h)
    assert (finite_h is None) == bool(np.isnan(wanted_h.finite).any()), f"draw {trial}: is there a finite part?"
    # corner: whether a direction exists that leaves all other tokens behind
    assert (along_h is None) == (not wanted_h.directional.feasible), f"draw {trial}: is there a directional part?"
    # corner: two or more kept tokens with unequal shares
    assert finite_h is None or np.allclose(finite_h, wanted_h.finite[:, 0], atol=1e-7), f"draw {trial}: finite part"
    # corner: the shortest of all directions that do what is asked
    assert along_h is None or np.allclose(along_h, wanted_h.directional.W[:, 0], rtol=1e-5, atol=1e-6), f"draw {trial}: directional part"
