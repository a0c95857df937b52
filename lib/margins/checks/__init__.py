"""Self-checks of the book's exercises: `margins.checks.<exercise>(your_function)`.

A check says what is wrong in words that help, or one line of praise.
(book: How to read and run this book, Reading)
"""

from margins.checks.nadaraya_watson import (
    nw_compile,
    nw_leave_one_out,
    nw_local_linear,
    nw_merge,
    nw_winners,
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
    "nw_compile",
    "nw_leave_one_out",
    "nw_local_linear",
    "nw_merge",
    "nw_winners",
    "svm_homogeneous",
    "svm_intercept",
    "svm_leave_one_out",
    "svm_pair_step",
    "svm_smallest_c",
]
