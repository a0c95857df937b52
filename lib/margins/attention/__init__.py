"""Attention: exact softmax attention, its hard and local forms, and the regression that it is.

(book: Attention as Nadaraya-Watson regression)
"""

from margins.attention.compiled import AttentionHead, svm_to_attention
from margins.attention.hard import hard_attention
from margins.attention.heads import multi_head_attention, token_spread
from margins.attention.hull import gaussian_lift, winning_keys
from margins.attention.leave_one_out import loo_bandwidth, loo_errors
from margins.attention.local import local_attention
from margins.attention.nadaraya_watson import nadaraya_watson
from margins.attention.softmax import attention_weights, softmax_attention

__all__ = [
    "AttentionHead",
    "attention_weights",
    "gaussian_lift",
    "hard_attention",
    "local_attention",
    "loo_bandwidth",
    "loo_errors",
    "multi_head_attention",
    "nadaraya_watson",
    "softmax_attention",
    "svm_to_attention",
    "token_spread",
    "winning_keys",
]
