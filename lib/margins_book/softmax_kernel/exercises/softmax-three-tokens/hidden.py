# points: 1
tokens_h = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
# corner: values that are negative or no whole numbers
for values_h in ([-3.0, 0.5, 40.0], [140.0, 280.0, -70.0]):
    expected = softmax_attention(np.log(2) * tokens_h * [1, -1], tokens_h, np.array(values_h)[:, None], scale=1.0)[:, 0]
    assert np.abs(outputs_by_hand(np.array(values_h)) - expected).max() < 1e-9, f"values {values_h}: wrong outputs"
# corner: three equal values, of which each mean is the same
assert np.abs(outputs_by_hand(np.full(3, 5.0)) - 5).max() < 1e-9, "three values 5: each output is 5"
