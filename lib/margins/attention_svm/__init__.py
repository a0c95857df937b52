"""The support vector machine inside attention: token data, certified solvers, diagnosis and training.

(book: Attention converges to an SVM)
"""

from margins.attention_svm.data import TokenData, random_token_data

__all__ = ["TokenData", "random_token_data"]
