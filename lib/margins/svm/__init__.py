"""Support vector machines: the two quadratic programs, a solver for them, and their optimality report.

(book: SVM duality)
"""

from margins.svm.hard_margin import NotSeparableError
from margins.svm.large.gaussian import gaussian_svm
from margins.svm.large.low_rank import linear_svm
from margins.svm.problem import dual_objective, primal_objective
from margins.svm.reference import DualOptimum, PrimalOptimum, dual_qp, primal_qp
from margins.svm.report import KKTReport, kkt_report
from margins.svm.smo import smo, smo_iterates
from margins.svm.solution import Solution

__all__ = [
    "DualOptimum",
    "KKTReport",
    "NotSeparableError",
    "PrimalOptimum",
    "Solution",
    "dual_objective",
    "dual_qp",
    "gaussian_svm",
    "kkt_report",
    "linear_svm",
    "primal_objective",
    "primal_qp",
    "smo",
    "smo_iterates",
]
