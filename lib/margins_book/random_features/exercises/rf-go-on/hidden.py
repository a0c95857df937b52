# points: 2
# corner: a sequence in parts, the first of them a single token after an empty state
rng_go = np.random.default_rng(11)
features_go, V_go = elu_features(rng_go.normal(size=(120, 5))), rng_go.normal(size=(120, 3))
whole_go = rf.linear_attention(features_go, features_go, V_go, causal=True)
state_go, parts_go = np.zeros((5, 4)), []
for first, last in ((0, 1), (1, 50), (50, 120)):
    before_go = state_go.copy()
    part, after_go = go_on(state_go, features_go[first:last], features_go[first:last], V_go[first:last])
    # corner: the state that was handed over, looked at again afterwards
    assert np.array_equal(state_go, before_go), "the state that was given was changed; work on a copy of it"
    parts_go.append(part)
    state_go = np.asarray(after_go)
# corner: the parts of a sequence against the whole sequence at once
assert np.allclose(np.concatenate(parts_go), whole_go, atol=1e-10), "three parts of a sequence differ from the whole"
# corner: the denominators in the last column of the state
assert np.allclose(state_go[:, -1], features_go.sum(axis=0)), "the last column of the state is the sum of the features"
