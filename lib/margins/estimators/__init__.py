"""The scikit-learn faces of the library: no mathematics of their own.

They pass scikit-learn's own estimator checks, so they work in pipelines and grid searches, clone and pickle.
"""

from margins.estimators.svm import SVMClassifier

__all__ = ["SVMClassifier"]
