"""The softmax kernel exp(x.y): its features, its limits, and what attention makes of it.

(book: The softmax kernel)
"""

from margins.softmax_kernel.positions import FactorVerdict as FactorVerdict
from margins.softmax_kernel.positions import additive_factors as additive_factors
from margins.softmax_kernel.positions import alibi as alibi
from margins.softmax_kernel.positions import bias_symbol as bias_symbol
from margins.softmax_kernel.positions import factor_verdict as factor_verdict
from margins.softmax_kernel.positions import relative_bias as relative_bias
from margins.softmax_kernel.positions import rotate as rotate
from margins.softmax_kernel.positions import sinusoidal as sinusoidal
from margins.softmax_kernel.positivity import determinant as determinant
from margins.softmax_kernel.positivity import exponential_determinant as exponential_determinant
from margins.softmax_kernel.positivity import exponential_series as exponential_series
from margins.softmax_kernel.taylor import damping as damping
from margins.softmax_kernel.taylor import series_remainder as series_remainder
from margins.softmax_kernel.taylor import taylor_features as taylor_features
from margins.softmax_kernel.taylor import truncation_error as truncation_error
from margins.softmax_kernel.tokens import TokenVerdict as TokenVerdict
from margins.softmax_kernel.tokens import attention_of as attention_of
from margins.softmax_kernel.tokens import tied_attention_spectrum as tied_attention_spectrum
from margins.softmax_kernel.tokens import token_kernel as token_kernel
from margins.softmax_kernel.tokens import token_metric as token_metric
from margins.softmax_kernel.tokens import token_report as token_report
from margins.softmax_kernel.tokens import token_verdict as token_verdict
from margins.softmax_kernel.variants import VARIANTS as VARIANTS
from margins.softmax_kernel.variants import Traits as Traits
from margins.softmax_kernel.variants import cosine as cosine
from margins.softmax_kernel.variants import elu_features as elu_features
from margins.softmax_kernel.variants import elu_kernel as elu_kernel
from margins.softmax_kernel.variants import quadratic as quadratic
from margins.softmax_kernel.variants import squared_relu as squared_relu
from margins.softmax_kernel.variants import traits as traits
