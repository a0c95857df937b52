"""Self-checks of the book's exercises: `margins.checks.<exercise>(your_function)`.

A check says what is wrong in words that help, or one line of praise.
(book: How to read and run this book, Reading)
"""

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
from margins.checks.verdicts import CheckFailed

__all__ = [
    "CheckFailed",
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
