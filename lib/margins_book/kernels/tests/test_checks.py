"""The checks of chapter 2 accept right answers that come by other ways than the reference's."""

import numpy as np

from margins import kernels
from margins_book.kernels import checks
from tests.margins_book.accepted import accepted_by


@accepted_by(checks.ker_features)
def test_features_may_come_from_a_pivoted_elimination(K):
    size = np.abs(K).max()
    if np.abs(K - K.T).max() > 1e-9 * size or np.linalg.eigvalsh(K).min() < -1e-9 * size:
        return None
    rest, columns = K.copy(), []
    while np.diagonal(rest).max() > 1e-9 * size:
        pivot = np.argmax(np.diagonal(rest))
        columns.append(rest[:, pivot] / np.sqrt(rest[pivot, pivot]))
        rest = rest - np.outer(columns[-1], columns[-1])
    return np.column_stack(columns)


@accepted_by(checks.ker_nearest_mean)
def test_the_nearer_mean_may_be_found_by_quadratic_forms(K, y, K_new):
    difference = np.where(y > 0, 1 / (y > 0).sum(), -1 / (y < 0).sum())
    total = np.where(y > 0, 1 / (y > 0).sum(), 1 / (y < 0).sum())
    return np.where(difference @ K_new - total @ K @ difference / 2 >= 0, 1.0, -1.0)


@accepted_by(checks.ker_ridge_intercept)
def test_the_intercept_may_come_from_the_centred_kernel(K, y, penalty):
    centred = kernels.centred(K)
    a = np.linalg.solve(centred + penalty * np.eye(len(y)), y - y.mean())
    return [a, float(np.mean(y - K @ a))]


@accepted_by(checks.ker_loo_path)
def test_the_path_may_be_walked_by_leaving_out(K, y, penalties):
    errors = np.zeros(len(penalties))
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        values, vectors = np.linalg.eigh(K[np.ix_(rest, rest)])
        seen, asked = vectors.T @ y[rest], vectors.T @ K[rest, i]
        errors += [(y[i] - (seen * asked / (values + penalty)).sum()) ** 2 for penalty in penalties]
    return (errors / len(y)).tolist()
