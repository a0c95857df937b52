"""The softmax kernel exp(x.y): its features, its limits, and what attention makes of it.

(book: The softmax kernel)
"""

from margins.softmax_kernel.positions import (
    FactorVerdict,
    additive_factors,
    alibi,
    bias_symbol,
    factor_verdict,
    relative_bias,
    rotate,
    sinusoidal,
)
from margins.softmax_kernel.positivity import determinant, exponential_determinant, exponential_series
from margins.softmax_kernel.taylor import damping, series_remainder, taylor_features, truncation_error
from margins.softmax_kernel.tokens import (
    TokenVerdict,
    attention_of,
    tied_attention_spectrum,
    token_kernel,
    token_metric,
    token_report,
    token_verdict,
)
from margins.softmax_kernel.variants import (
    VARIANTS,
    Traits,
    cosine,
    elu_features,
    elu_kernel,
    quadratic,
    squared_relu,
    traits,
)

__all__ = [
    "VARIANTS",
    "FactorVerdict",
    "TokenVerdict",
    "Traits",
    "additive_factors",
    "alibi",
    "attention_of",
    "bias_symbol",
    "cosine",
    "damping",
    "determinant",
    "elu_features",
    "elu_kernel",
    "exponential_determinant",
    "exponential_series",
    "factor_verdict",
    "quadratic",
    "relative_bias",
    "rotate",
    "series_remainder",
    "sinusoidal",
    "squared_relu",
    "taylor_features",
    "tied_attention_spectrum",
    "token_kernel",
    "token_metric",
    "token_report",
    "token_verdict",
    "traits",
    "truncation_error",
]
