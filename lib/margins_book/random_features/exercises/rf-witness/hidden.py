# points: 1
# corner: width 0, and sequences too short for three different positions
for w_band in range(7):
    for n_band in range(1, 20):
        band_here = kernels.band_mask(np.arange(n_band), width=w_band).astype(float)
        u_band = witness(w_band, n_band)
        assert (u_band is None) == kernels.is_psd(band_here), f"w = {w_band}, n = {n_band}: None if and only if B is PSD"
        # corner: sequences with room for the three positions, the shortest of them included
        if u_band is not None:
            form = np.asarray(u_band) @ band_here @ np.asarray(u_band) / (np.asarray(u_band) @ np.asarray(u_band))
            assert form < 1 - np.sqrt(2) + 1e-9, f"w = {w_band}, n = {n_band}: the quadratic form is {form:.3f}"
