"""Self-checks of the book's exercises: `margins.checks.<exercise>(your_function)`.

A check says what is wrong in words that help, or one line of praise.
(book: How to read and run this book, Reading)
"""

from margins.checks.kernels import (
    ker_features,
    ker_loo_path,
    ker_nearest_mean,
    ker_ridge_intercept,
)
from margins.checks.nadaraya_watson import (
    nw_compile,
    nw_leave_one_out,
    nw_local_linear,
    nw_merge,
    nw_winners,
)
from margins.checks.random_features import (
    rf_go_on,
    rf_jackknife,
    rf_no_overflow,
    rf_orthogonal_blocks,
    rf_projections_needed,
    rf_witness,
)
from margins.checks.softmax_kernel import (
    softmax_features,
    softmax_reveal,
    softmax_table,
    softmax_temperature,
    softmax_witnesses,
)
from margins.checks.svm_duality import (
    svm_homogeneous,
    svm_intercept,
    svm_leave_one_out,
    svm_pair_step,
    svm_smallest_c,
)
from margins.checks.verdicts import (
    CheckFailed,
)

__all__ = [
    "CheckFailed",
    "ker_features",
    "ker_loo_path",
    "ker_nearest_mean",
    "ker_ridge_intercept",
    "nw_compile",
    "nw_leave_one_out",
    "nw_local_linear",
    "nw_merge",
    "nw_winners",
    "rf_go_on",
    "rf_jackknife",
    "rf_no_overflow",
    "rf_orthogonal_blocks",
    "rf_projections_needed",
    "rf_witness",
    "softmax_features",
    "softmax_reveal",
    "softmax_table",
    "softmax_temperature",
    "softmax_witnesses",
    "svm_homogeneous",
    "svm_intercept",
    "svm_leave_one_out",
    "svm_pair_step",
    "svm_smallest_c",
]
