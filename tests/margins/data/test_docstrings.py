"""Docstrings of installed libraries as words."""

import pytest

from margins import data
from margins.data import docstrings
from margins.data.docstrings import LIBRARY_NAMES, docstrings_in, source_files, words_of


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


def test_private_names_are_left_out(tmp_path):
    file = tmp_path / "module.py"
    file.write_text(
        'def f():\n    """Seen here."""\n\ndef _g():\n    """Hidden."""\n\nclass C:\n    """Class."""\n'
    )
    assert sorted(docstrings_in(file)) == ["Class.", "Seen here."]


def test_bad_input_is_named(monkeypatch):
    few = source_files("numpy")[:3]
    # few files, because NumPy has docstrings enough for every number that takes a moment only
    monkeypatch.setattr(docstrings, "source_files", lambda library: few)
    with pytest.raises(ValueError, match="number must be at most"):
        data.docstring_words("numpy", 100, 12)
