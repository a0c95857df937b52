"""The support vector machine inside attention: token data, certified solvers, diagnosis and training.

(book: Attention converges to an SVM)
"""

from margins.attention_svm.choices import Choice, all_choices, judged_choice
from margins.attention_svm.constraints import token_margins
from margins.attention_svm.data import TokenData, random_token_data
from margins.attention_svm.diagnosis import (
    all_tokens_support,
    equal_scores,
    exposed_tokens,
    first_gradient_margin,
    is_feasible,
    is_locally_optimal,
    query_separator,
    rank_one_separator,
)
from margins.attention_svm.excess import log_excess
from margins.attention_svm.frobenius import frobenius_svm
from margins.attention_svm.generalised import GeneralisedSVM, generalised_svm, selected_tokens
from margins.attention_svm.gradient import loss_gradient, softmax_weights, training_loss
from margins.attention_svm.heads import LINEAR, concave_head, increasing_head, mlp_head, relu_head
from margins.attention_svm.joint_training import JointTrajectory, train_together
from margins.attention_svm.losses import CORRELATION, LOGISTIC
from margins.attention_svm.mixtures import is_silenced, nearest_mixture, silence_probability, sparsemax
from margins.attention_svm.normalisers import EXPONENTIAL, softplus_power
from margins.attention_svm.nuclear import nuclear_svm
from margins.attention_svm.paths import RegularisationPath, regularisation_path
from margins.attention_svm.reductions import causal_data, sequence_data
from margins.attention_svm.reference import ProgramOptimum, attention_program, generalised_program
from margins.attention_svm.runs import RunVerdict, classify_run
from margins.attention_svm.solution import AttentionSVM, correlation
from margins.attention_svm.training import Trajectory, random_start, train
from margins.least_distance import LeastDistance, least_distance

__all__ = [
    "CORRELATION",
    "EXPONENTIAL",
    "LINEAR",
    "LOGISTIC",
    "AttentionSVM",
    "Choice",
    "GeneralisedSVM",
    "JointTrajectory",
    "LeastDistance",
    "ProgramOptimum",
    "RegularisationPath",
    "RunVerdict",
    "TokenData",
    "Trajectory",
    "all_choices",
    "all_tokens_support",
    "attention_program",
    "causal_data",
    "classify_run",
    "concave_head",
    "correlation",
    "equal_scores",
    "exposed_tokens",
    "first_gradient_margin",
    "frobenius_svm",
    "generalised_program",
    "generalised_svm",
    "increasing_head",
    "is_feasible",
    "is_locally_optimal",
    "is_silenced",
    "judged_choice",
    "least_distance",
    "log_excess",
    "loss_gradient",
    "mlp_head",
    "nearest_mixture",
    "nuclear_svm",
    "query_separator",
    "random_start",
    "random_token_data",
    "rank_one_separator",
    "regularisation_path",
    "relu_head",
    "selected_tokens",
    "sequence_data",
    "silence_probability",
    "softmax_weights",
    "softplus_power",
    "sparsemax",
    "token_margins",
    "train",
    "train_together",
    "training_loss",
]
