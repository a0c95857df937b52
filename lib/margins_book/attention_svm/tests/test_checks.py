"""The checks of chapter 6 accept other right answers than the reference's."""

import numpy as np

from margins_book.attention_svm import checks
from tests.margins_book.accepted import accepted_by


def test_balanced_factors_may_be_turned():
    def balance(K, Q):
        U, values, Vt = np.linalg.svd(K @ Q.T)
        d, m = K.shape
        root = np.zeros((d, m))
        np.fill_diagonal(root, np.sqrt(values))
        turn = np.linalg.qr(np.random.default_rng(0).normal(size=(m, m)))[0]
        return U @ root @ turn, Vt.T @ root @ turn

    checks.att_balance(balance)


@accepted_by(checks.att_stable)
def test_pulls_may_be_summed_over_pairs_or_scaled_otherwise(logits, scores):
    lead = logits.argmax()
    c = np.delete(logits, lead).max() - logits[lead]
    log_s = logits - np.logaddexp.reduce(logits)
    sums = log_s[:, None] + log_s - c  # (T, T)
    np.fill_diagonal(sums, -np.inf)
    pairs = np.exp(sums) * (scores[:, None] - scores)  # s_t s_tau / e^c times the difference of scores
    return 2 * pairs.sum(axis=1), c - np.log(2)
