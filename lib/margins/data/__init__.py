"""Real data that every reader has: digits as patches, docstrings as words, and frozen embeddings of both.

Besides them heads of attention that were trained on text, and networks that were trained on prompts
(book: Sequences, causality, depth and real data, Real data; The softmax kernel, A trained head; Beyond the
equivalence, Trained in context).
"""

from margins.data.digits import digit_patches, digits_of
from margins.data.docstrings import LIBRARIES, docstring_words
from margins.data.embedding import embed_patches, embed_words, hashed_ngrams
from margins.data.heads import TrainedHeads, head_measures, trained_heads
from margins.data.prompts import measured, prompt_measures, prompt_networks

__all__ = [
    "LIBRARIES",
    "TrainedHeads",
    "digit_patches",
    "digits_of",
    "docstring_words",
    "embed_patches",
    "embed_words",
    "hashed_ngrams",
    "head_measures",
    "measured",
    "prompt_measures",
    "prompt_networks",
    "trained_heads",
]
