# points: 2
# corner: logits that differ by very little or by very much; wanted is little more than 1 or nearly m
for seed, size in ((20, 1e-7), (21, 1.0), (22, 1e5)):
    ah = size * np.random.default_rng(seed).normal(size=30) - 3 * size
    for wish in (1.2, 7.5, 29.0):
        got = temperature_for(ah, wish)
        got = np.exp(-sum(w * np.log(w) for w in softened(ah, got) if w > 0))
        assert abs(got - wish) < 1e-5, f"30 logits of size {size:g}: at tau = {got} {got:.6g} keys are attended, wanted {wish}"
