"""Real data that every reader has: digits as patches, docstrings as words, and frozen embeddings of both.

(book: Sequences, causality, depth and real data, Real data)
"""

from margins.data.digits import digit_patches, digits_of
from margins.data.docstrings import LIBRARIES, docstring_words
from margins.data.embedding import embed_patches, embed_words, hashed_ngrams

__all__ = [
    "LIBRARIES",
    "digit_patches",
    "digits_of",
    "docstring_words",
    "embed_patches",
    "embed_words",
    "hashed_ngrams",
]
