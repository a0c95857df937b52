"""Support vector machines: the two quadratic programs, a solver for them, and their optimality report.

(book: SVM duality)
"""

from margins.svm.hard_margin import NotSeparableError as NotSeparableError
from margins.svm.large.gaussian import gaussian_svm as gaussian_svm
from margins.svm.large.low_rank import linear_svm as linear_svm
from margins.svm.problem import dual_objective as dual_objective
from margins.svm.problem import primal_objective as primal_objective
from margins.svm.reference import DualOptimum as DualOptimum
from margins.svm.reference import PrimalOptimum as PrimalOptimum
from margins.svm.reference import dual_qp as dual_qp
from margins.svm.reference import primal_qp as primal_qp
from margins.svm.report import KKTReport as KKTReport
from margins.svm.report import kkt_report as kkt_report
from margins.svm.smo import smo as smo
from margins.svm.smo import smo_iterates as smo_iterates
from margins.svm.solution import Solution as Solution
