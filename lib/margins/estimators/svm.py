"""The support vector machine as a scikit-learn classifier."""

from collections.abc import Callable

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from margins import kernels
from margins._types import ArrayLike
from margins.kernels.gram import kernel_matrix
from margins.svm import gaussian_svm, linear_svm, smo
from margins.validation import finite_array, one_of, positive, same_length

NAMED_KERNELS = {  # the kernel, and which of the classifier's parameters it takes
    "linear": (kernels.linear, ()),
    "polynomial": (kernels.polynomial, ("gamma", "degree", "coef0")),
    "gaussian": (kernels.gaussian, ("gamma",)),
    "laplacian": (kernels.laplacian, ("gamma",)),
    "exponential": (kernels.exponential, ("gamma",)),
}
OTHER_NAMES = {"rbf": "gaussian", "poly": "polynomial"}  # scikit-learn's

LINEAR_POINTS, POINTS_PER_FEATURE = 500, 8  # from here on the features take less time than their n x n matrix
GAUSSIAN_POINTS = 1000  # from here on a Gaussian matrix is better made row by row
PRECISIONS = [np.float64, np.float32]  # points and labels keep the one in which they come
TILE = 2**22  # entries of a kernel (32 MB) that are made at a time in order to predict


class SVMClassifier(ClassifierMixin, BaseEstimator):
    """The soft-margin support vector machine of two classes, f(x) = sum_i alpha_i y_i k(x_i, x) + b.

    More classes are refused: `sklearn.multiclass.OneVsOneClassifier` makes one machine a pair of them.
    The matrix of n points is made, with room for three more of its size, for the hard margin and for all
    kernels but the linear one (of few features) and the Gaussian.

    Parameters
    ----------
    C : float
        The upper bound of the multipliers; `np.inf` is the hard margin, refused where the classes are not
        separable. With `fit(X, y, sample_weight)` point i has the bound C_i = C * sample_weight[i].
    kernel : str or callable
        "linear", "polynomial" or "poly", "gaussian" or "rbf", "laplacian", "exponential", "precomputed", or a
        function k(X, Y) of two matrices, (n, d) and (m, d), that returns their Gram matrix (n, m).
    gamma, degree, coef0 : float, int, float
        What the named kernels take of them, see `margins.kernels`; gamma may also be "scale",
        1 / (d * variance of all entries of X), or "auto", 1 / d.
    tol : float
        By how much the optimality conditions may be missed, in units of the margin y f(x) = 1.

    Attributes
    ----------
    alpha_ : (n,) the multipliers, `support_` the indices where they are not zero, `n_support_` (2,) how many
        there are in each class.
    dual_coef_ : (1, n_SV) alpha_i y_i on the support; `intercept_` (1,) is b.
    coef_ : (1, d) the normal vector w, of the linear kernel only.
    gamma_ : the parameter in use.
    dual_objective_, primal_objective_ : the two values, equal up to the tolerance.
    margin_ : 1 / ||w||.
    classes_ : the two labels; y = +1 stands for the second.

    (book: SVM duality, The soft margin; Kernels, One theorem for many machines)

    >>> X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], ["same", "same", "other", "other"]
    >>> model = SVMClassifier(C=10.0, kernel="gaussian").fit(X, y)
    >>> model.predict([[0.1, 0.1], [0.9, 0.1]]), model.support_
    (array(['same', 'other'], dtype='<U5'), array([0, 1, 2, 3]))
    """

    def __init__(
        self,
        C: float = 1.0,
        kernel: str | Callable = "linear",
        *,
        gamma: float | str = 1.0,
        degree: int = 3,
        coef0: float = 0.0,
        tol: float = 1e-10,
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> "SVMClassifier":
        """The classifier itself, with the optimal multipliers of (X, y).

        `sample_weight` (n,) multiplies C point by point; a point of weight 0 is left out.
        """
        points, labels = validate_data(self, X, y, dtype=PRECISIONS)
        signs = self._signs(labels)
        self.gamma_ = self._gamma(points)
        C, kept = self._bounds(sample_weight, signs)
        solution = self._solution(self._of(points, kept), signs[kept], C)
        self.alpha_ = np.zeros(len(signs))
        self.alpha_[kept] = solution.alpha
        self.intercept_ = np.array([solution.b])
        self.support_ = np.flatnonzero(self.alpha_)
        self.n_support_ = np.bincount(signs[self.support_] > 0, minlength=2).astype(np.int32)
        self.dual_coef_ = (self.alpha_ * signs)[None, self.support_]
        self.support_vectors_ = np.empty((0, 0)) if self.kernel == "precomputed" else points[self.support_]
        self.dual_objective_, self.primal_objective_ = solution.dual_objective, solution.primal_objective
        self.margin_ = solution.margin
        return self

    def _bounds(self, sample_weight, signs):
        """The upper bound of the multipliers, one number or one a point, and the points with a weight."""
        C = positive("C", self.C, allow_infinity=True)
        if sample_weight is None:
            return C, np.arange(len(signs))
        weight = finite_array("sample_weight", sample_weight, ndim=1, dtype=np.float64)
        same_length(sample_weight=weight, y=signs)
        if weight.min() < 0:
            raise ValueError(f"sample_weight must be >= 0, but its smallest entry is {weight.min():g}")
        kept = np.flatnonzero(weight)
        if len(np.unique(signs[kept])) < 2:
            raise ValueError("both classes need a sample_weight > 0, but one class has zero weights only")
        weight = weight[kept]
        return C * (weight[0] if np.isinf(C) or np.ptp(weight) == 0 else weight), kept

    def _of(self, X, kept):
        """The points `kept`, or their part of a given Gram matrix; all of them without a copy."""
        if len(kept) == len(X):
            return X
        return X[np.ix_(kept, kept)] if self.kernel == "precomputed" else X[kept]

    def _solution(self, X, signs, C):
        """The optimum of the dual, by the solver that suits the size and the kernel."""
        kernel, tol, (n, d) = self._kernel_name(), positive("tol", self.tol), X.shape
        is_soft = np.isfinite(C).all()
        if kernel == "linear" and n >= LINEAR_POINTS and d * POINTS_PER_FEATURE <= n and is_soft:
            return linear_svm(X, signs, C, tol=tol)
        if kernel == "gaussian" and n >= GAUSSIAN_POINTS and is_soft:
            return gaussian_svm(X, signs, C, gamma=self.gamma_, tol=tol)
        is_psd = kernel not in (None, "precomputed") and (kernel != "polynomial" or self.coef0 >= 0)
        return smo(self._gram(X), signs, C, tol=tol, trusted=is_psd)

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """The values f(x) = sum_i alpha_i y_i k(x_i, x) + b, positive for the second class (m,)."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=PRECISIONS, reset=False)
        if self.kernel == "precomputed":
            return points[:, self.support_] @ self.dual_coef_[0] + self.intercept_
        step = len(points) if callable(self.kernel) else max(1, TILE // max(1, len(self.support_)))
        rows = [points[start : start + step] for start in range(0, len(points), step)]
        scores = [self._gram(few, self.support_vectors_) @ self.dual_coef_[0] for few in rows]
        return np.concatenate(scores) + self.intercept_

    @property
    def coef_(self) -> np.ndarray:
        """The normal vector w = sum_i alpha_i y_i x_i (1, d) of the linear kernel."""
        check_is_fitted(self)
        if self.kernel != "linear":
            raise AttributeError(f"coef_ needs kernel='linear', but the kernel is {self.kernel!r}")
        return self.dual_coef_ @ self.support_vectors_

    def predict(self, X: ArrayLike) -> np.ndarray:
        """The class on whose side of the hyperplane each point lies (m,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _signs(self, y):
        """The labels as -1 and +1 (n,); refuses all but two classes."""
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            kind = type_of_target(y)
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}, "
                f"with {len(self.classes_)} classes; wrap it in sklearn.multiclass.OneVsOneClassifier."
            )
        if len(self.classes_) < 2:
            raise ValueError(f"y must hold two classes, but it holds one class only: {self.classes_[0]}")
        return 2.0 * index - 1

    def _gram(self, X, Y=None):
        """The Gram matrix between the rows of X and of Y (default: of X), by this classifier's kernel."""
        if callable(self.kernel):
            return kernel_matrix(self.kernel, X, X if Y is None else Y)
        name = self._kernel_name()
        if name == "precomputed":
            return X
        function, parameters = NAMED_KERNELS[name]
        values = {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
        return function(X, Y, **{parameter: values[parameter] for parameter in parameters})

    def _kernel_name(self):
        """The book's name of the kernel, None for a function."""
        if callable(self.kernel):
            return None
        one_of("kernel", self.kernel, [*NAMED_KERNELS, *OTHER_NAMES, "precomputed"])
        return OTHER_NAMES.get(self.kernel, self.kernel)

    def _gamma(self, X):
        """The number gamma, by scikit-learn's rules where one of them is named."""
        if not isinstance(self.gamma, str):
            return self.gamma
        one_of("gamma", self.gamma, ("scale", "auto"))
        spread = X.var(dtype=np.float64) if self.gamma == "scale" else 1.0
        return 1 / (X.shape[1] * spread) if spread > 0 else 1.0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
