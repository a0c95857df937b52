"""Attention: exact softmax attention, its hard and local forms, and the regression that it is.

(book: Attention as Nadaraya-Watson regression)
"""

from margins.attention.compiled import AttentionHead as AttentionHead
from margins.attention.compiled import svm_to_attention as svm_to_attention
from margins.attention.heads import multi_head_attention as multi_head_attention
from margins.attention.heads import token_spread as token_spread
from margins.attention.hull import gaussian_lift as gaussian_lift
from margins.attention.hull import winning_keys as winning_keys
from margins.attention.leave_one_out import loo_bandwidth as loo_bandwidth
from margins.attention.leave_one_out import loo_errors as loo_errors
from margins.attention.local import local_attention as local_attention
from margins.attention.nadaraya_watson import nadaraya_watson as nadaraya_watson
from margins.attention.softmax import attention_weights as attention_weights
from margins.attention.softmax import hard_attention as hard_attention
from margins.attention.softmax import softmax_attention as softmax_attention
