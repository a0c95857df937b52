"""Real data: docstrings as words, digits as patches, and the trained heads that the library keeps."""

import ast

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import data
from margins.data import docstrings, heads
from margins.data.docstrings import LIBRARY_NAMES, docstrings_in, source_files, words_of
from margins.kernels import gaussian


def test_docstrings_are_words_of_the_library_and_do_not_name_it():
    texts = data.docstring_words("numpy", 20, 12)
    assert len(set(texts)) == 20
    for text in texts:
        assert len(set(text)) == len(text) == 12
        assert not LIBRARY_NAMES & set(text)
        assert all(word.isalpha() and word.islower() for word in text)
    assert texts[:5] == data.docstring_words("numpy", 5, 12)


def test_at_most_three_texts_come_from_a_file():
    texts = data.docstring_words("numpy", 20, 12)
    for file in source_files("numpy")[:40]:
        own = {tuple(dict.fromkeys(words_of(doc)))[:12] for doc in docstrings_in(file)}
        assert len(own & set(texts)) <= 3


def test_docstrings_come_as_a_walk_of_the_whole_tree_meets_them(tmp_path):
    file = tmp_path / "module.py"
    file.write_text(
        'try:\n    def a():\n        """A."""\nexcept ImportError:\n    class B:\n        """B."""\n'
        '        def c(self):\n            """C."""\nmatch 1:\n    case 1:\n        if True:\n'
        '            def d():\n                """D."""\ndef e(x=lambda: 0):\n    """E."""\n'
        'def _f():\n    """Hidden."""\n'
    )
    for source in (file, *source_files("matplotlib")[:10]):
        nodes = ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        named = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        walked = [ast.get_docstring(node) for node in named if not node.name.startswith("_")]
        assert docstrings_in(source) == tuple(filter(None, walked))
    assert docstrings_in(file) == ("E.", "A.", "B.", "C.", "D.")


def test_bad_input_is_named(monkeypatch):
    few = source_files("numpy")[:3]
    # few files, because NumPy has docstrings enough for every number that takes a moment only
    monkeypatch.setattr(docstrings, "source_files", lambda library: few)
    with pytest.raises(ValueError, match="number must be at most"):
        data.docstring_words("numpy", 100, 12)


def test_embedded_patches_estimate_a_gaussian_kernel_of_pixels_and_place():
    patches = np.random.default_rng(0).random((1, 16, 4))
    tokens = data.embed_patches(patches, 40_000, rng=np.random.default_rng(1), reach=1.5)[0]
    grid = np.stack(np.meshgrid(*2 * [np.linspace(-1, 1, 4)], indexing="ij"), axis=-1).reshape(16, 2)
    seen = np.concatenate([patches[0], grid], axis=1)
    assert_allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-12)
    assert_allclose(tokens @ tokens.T, gaussian(seen, gamma=1.5**2 / 2), atol=0.03)


def test_words_that_share_letters_are_near_and_others_nearly_orthogonal():
    array, arrays, fit = (data.hashed_ngrams(word, 512) for word in ("array", "arrays", "fit"))
    assert_allclose([np.linalg.norm(token) for token in (array, arrays, fit)], 1)
    assert array @ arrays > 0.5
    assert abs(array @ fit) < 0.3
    assert_allclose(array, data.hashed_ngrams("array", 512))


def test_digits_are_those_asked_for_between_zero_and_one():
    images, digits = data.digits_of(3, 8)
    assert set(digits) == {3, 8}
    assert images.shape == (len(digits), 8, 8)
    assert images.min() == 0
    assert images.max() == 1


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
