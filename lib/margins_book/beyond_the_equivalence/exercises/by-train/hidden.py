# points: 1
# corner: random prompts, more of them than the matrix has entries
dice = np.random.default_rng(3)
P_h, v_h, q_h, a_h = (dice.normal(size=shape) for shape in ((50, 4, 2), (50, 4), (50, 2), (50,)))
M_h = np.asarray(trained(P_h, v_h, q_h, a_h))
g_h = np.einsum("bnd,bn->bd", P_h, v_h)
left_h = a_h - np.einsum("ba,ad,bd->b", q_h, M_h, g_h)
slopes_h = np.einsum("b,ba,bd->ad", left_h, q_h, g_h)
assert M_h.shape == (2, 2), f"the matrix has the shape {M_h.shape}"
assert np.abs(slopes_h).max() < 1e-8, "another matrix has smaller squared errors"
