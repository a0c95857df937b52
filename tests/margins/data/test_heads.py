"""The trained heads that the library keeps: what was written is read, in little room."""

import numpy as np

from margins.data import heads


def test_what_is_written_is_read_to_sixteen_bits(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    arrays = {"tokens": rng.normal(size=(2, 7, 6)), "W_Q": rng.normal(size=(2, 3, 6, 2))}
    arrays |= {"W_K": -2 * arrays["W_Q"], "W_V": 3 * arrays["W_Q"]}
    monkeypatch.setattr(heads, "HEADS", tmp_path / "heads.csv")
    heads.HEADS.write_text(heads.heads_text("now, or", arrays), encoding="ascii")
    read = heads.trained_heads()
    assert read.text == "now, or"
    for name, wanted in arrays.items():
        found = getattr(read, name)
        assert found.dtype == np.float64
        assert not np.array_equal(found, wanted)
        np.testing.assert_allclose(found, wanted, rtol=2**-11)


def test_the_kept_heads_fit_their_text_and_take_little_room():
    kept = heads.trained_heads()
    assert set(kept.text) <= set(heads.ALPHABET)
    assert kept.tokens.shape[1] == len(kept.text)
    assert kept.W_Q.shape == kept.W_K.shape == kept.W_V.shape
    assert kept.W_K.shape == (*kept.W_K.shape[:2], kept.tokens.shape[2], kept.W_K.shape[3])
    assert heads.HEADS.stat().st_size < 30_000
    np.testing.assert_allclose(kept.tokens.mean(axis=-1), 0, atol=1e-3)
    np.testing.assert_allclose((kept.tokens**2).mean(axis=-1), 1, atol=2e-3)


def test_there_is_a_row_for_each_head_of_each_seed_before_and_after_training():
    training, rows = heads.head_measures()
    layers, number = training["sizes"]["layers"], training["sizes"]["heads"]
    found = {tuple(int(row[name]) for name in ("seed", "steps", "layer", "head")) for row in rows}
    assert found == {
        (seed, steps, layer, head)
        for seed in training["seeds"]
        for steps in (0, training["plan"]["steps"])
        for layer in range(layers)
        for head in range(number)
    }
    assert len(rows) == len(found)
