# points: 2
# corner: many choices, most of them unstable, some spurious, some of the best tokens
for data, c in judged[:60]:
    got = locally_optimal(data.X, data.Z, data.scores, c.tokens, c.solution.W)
    wanted = c.verdict != "unstable"
    assert bool(got) == wanted, f"choice {c.tokens}: {got}, but it is {c.verdict}"
