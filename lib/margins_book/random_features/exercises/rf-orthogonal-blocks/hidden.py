# points: 3
# corner: thousands of blocks with given lengths, whose directions must not prefer any direction of space
rng_blocks = np.random.default_rng(12)
G_blocks = rng_blocks.normal(size=(6000, 4, 4))
long_blocks = np.linalg.norm(rng_blocks.normal(size=(6000, 4, 4)), axis=2)
made = np.asarray(orthogonal_blocks(G_blocks, long_blocks))
point = np.array([0.4, 0.1, -0.2, 0.3])
for columns in (point, point[::-1]):  # x = y: the estimate of exp(x.x) from each block
    found = np.exp(2 * made @ columns - columns @ columns).mean(axis=1)
    off = (found.mean() - np.exp(columns @ columns)) / (found.std() / np.sqrt(6000))
    assert abs(off) < 5, f"the estimate of exp(x.x) is biased: {off:.0f} standard errors"
