"""The checks of chapter 11 accept right answers that come by other ways than the reference's."""

import numpy as np

from margins.attention_svm import TokenData, judged_choice
from margins_book.errata_and_open_questions import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.err_traps)
def test_traps_may_be_read_from_the_board(a1, a2):
    D = len(a1)
    head = np.linalg.lstsq(np.stack([a1, a2]), np.ones(2), rcond=None)[0]
    X = np.stack([np.stack([a1, a2]), np.zeros((2, D))], axis=1)
    data = TokenData(X, np.eye(D)[[0, 0]], [1, 1], head)
    return [judged_choice(data, np.array(one)).verdict == "spurious" for one in ([1, 0], [0, 1])]


@accepted_by(checks.err_fading)
def test_the_limit_needs_inner_products_only(x1, x2, z):
    tokens = np.stack([x1, x2])
    gram, winner = tokens @ tokens.T, int(np.linalg.norm(tokens, axis=1).argmax())
    square, meets = gram[0, 0] - 2 * gram[0, 1] + gram[1, 1], gram[winner, winner] - gram[0, 1]
    return [winner + 1, [2 * gram[winner, winner] / square / meets / (z @ z)][0]]
