"""Random features: kernels as inner products of a few random numbers, and attention made linear by them.

FAVOR+, the attention of the Performer, is `performer_attention` with orthogonal `projections` (book: Random
features and linear attention).
"""

from margins.random_features.bias import (
    attention_bias_coefficient,
    attention_variance_coefficient,
    jackknife_attention,
)
from margins.random_features.damped import best_damping, damped_feature_variance, damped_features
from margins.random_features.fourier import fourier_features
from margins.random_features.linear import (
    attention_flops,
    fast_weights,
    linear_attention,
    linear_attention_flops,
)
from margins.random_features.performer import performer_attention
from margins.random_features.projections import cauchy_projections, projections
from margins.random_features.relu import arc_cosine, relu_features
from margins.random_features.softmax import KINDS, softmax_features
from margins.random_features.variance import fourier_feature_variance, softmax_feature_variance

__all__ = [
    "KINDS",
    "arc_cosine",
    "attention_bias_coefficient",
    "attention_flops",
    "attention_variance_coefficient",
    "best_damping",
    "cauchy_projections",
    "damped_feature_variance",
    "damped_features",
    "fast_weights",
    "fourier_feature_variance",
    "fourier_features",
    "jackknife_attention",
    "linear_attention",
    "linear_attention_flops",
    "performer_attention",
    "projections",
    "relu_features",
    "softmax_feature_variance",
    "softmax_features",
]
