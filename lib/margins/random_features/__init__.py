"""Random features: kernels as inner products of a few random numbers, and attention made linear by them.

FAVOR+, the attention of the Performer, is `performer_attention` with orthogonal `projections` (book: Random
features and linear attention).
"""

from margins.random_features.bias import attention_bias_coefficient as attention_bias_coefficient
from margins.random_features.bias import attention_variance_coefficient as attention_variance_coefficient
from margins.random_features.bias import jackknife_attention as jackknife_attention
from margins.random_features.damped import best_damping as best_damping
from margins.random_features.damped import damped_feature_variance as damped_feature_variance
from margins.random_features.damped import damped_features as damped_features
from margins.random_features.fourier import fourier_features as fourier_features
from margins.random_features.linear import attention_flops as attention_flops
from margins.random_features.linear import fast_weights as fast_weights
from margins.random_features.linear import linear_attention as linear_attention
from margins.random_features.linear import linear_attention_flops as linear_attention_flops
from margins.random_features.performer import performer_attention as performer_attention
from margins.random_features.projections import cauchy_projections as cauchy_projections
from margins.random_features.projections import projections as projections
from margins.random_features.relu import arc_cosine as arc_cosine
from margins.random_features.relu import relu_features as relu_features
from margins.random_features.softmax import KINDS as KINDS
from margins.random_features.softmax import softmax_features as softmax_features
from margins.random_features.variance import fourier_feature_variance as fourier_feature_variance
from margins.random_features.variance import softmax_feature_variance as softmax_feature_variance
