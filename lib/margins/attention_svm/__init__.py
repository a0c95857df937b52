"""The support vector machine inside attention: token data, certified solvers, diagnosis and training.

(book: Attention converges to an SVM)
"""

from margins.attention_svm.data import TokenData, random_token_data
from margins.attention_svm.excess import log_excess
from margins.attention_svm.gradient import loss_gradient, softmax_weights, training_loss
from margins.attention_svm.heads import LINEAR, concave_head, increasing_head, relu_head
from margins.attention_svm.losses import CORRELATION, LOGISTIC
from margins.attention_svm.normalisers import EXPONENTIAL, softplus_power
from margins.attention_svm.paths import RegularisationPath, regularisation_path
from margins.attention_svm.training import Trajectory, random_start, train

__all__ = [
    "CORRELATION",
    "EXPONENTIAL",
    "LINEAR",
    "LOGISTIC",
    "RegularisationPath",
    "TokenData",
    "Trajectory",
    "concave_head",
    "increasing_head",
    "log_excess",
    "loss_gradient",
    "random_start",
    "random_token_data",
    "regularisation_path",
    "relu_head",
    "softmax_weights",
    "softplus_power",
    "train",
    "training_loss",
]
