# points: 2
# corner: no hit, nothing but hits, and very few or nearly all of many runs
for hits, runs in ((0, 7), (7, 7), (3, 200), (199, 200)):
    for level in (0.5, 0.95):
        low, high = exact_interval(hits, runs, level)
        wanted = binomtest(hits, runs).proportion_ci(level, "exact")
        assert abs(low - wanted.low) + abs(high - wanted.high) < 1e-6, f"{hits} of {runs}, level {level}: {low}, {high}"
