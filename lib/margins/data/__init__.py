"""Real data that every reader has: digits as patches, docstrings as words, and frozen embeddings of both.

Besides them heads of attention that were trained on text, and networks that were trained on prompts
(book: Sequences, causality, depth and real data, Real data; The softmax kernel, A trained head; Beyond the
equivalence, Trained in context).
"""

from margins.data.digits import digit_patches as digit_patches
from margins.data.digits import digits_of as digits_of
from margins.data.docstrings import LIBRARIES as LIBRARIES
from margins.data.docstrings import docstring_words as docstring_words
from margins.data.embedding import embed_patches as embed_patches
from margins.data.embedding import embed_words as embed_words
from margins.data.embedding import hashed_ngrams as hashed_ngrams
from margins.data.heads import TrainedHeads as TrainedHeads
from margins.data.heads import head_measures as head_measures
from margins.data.heads import trained_heads as trained_heads
from margins.data.prompts import measured as measured
from margins.data.prompts import prompt_measures as prompt_measures
from margins.data.prompts import prompt_networks as prompt_networks
