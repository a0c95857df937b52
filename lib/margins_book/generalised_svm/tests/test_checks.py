"""The checks of chapter 8 accept other right answers than the reference's."""

from margins_book.generalised_svm import checks


def test_relu_mixtures_may_come_from_a_modelling_language():
    import cvxpy

    def relu_mixture(X, V):
        s = cvxpy.Variable(len(X))
        head = cvxpy.sum(cvxpy.pos((V @ X.T) @ s))
        cvxpy.Problem(cvxpy.Minimize(head), [s >= 0, cvxpy.sum(s) == 1]).solve(solver=cvxpy.CLARABEL)
        return s.value.tolist()

    checks.gs_relu_mixture(relu_mixture)
