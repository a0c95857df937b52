"""The scikit-learn faces of the library: no mathematics of their own.

They pass scikit-learn's own estimator checks, so they work in pipelines and grid searches, clone and pickle.
"""

from margins._extras import extra

with extra("sklearn", "margins.estimators"):
    from margins.estimators.nadaraya_watson import NadarayaWatson
    from margins.estimators.random_features import FourierFeatures, SoftmaxFeatures
    from margins.estimators.svm import SVMClassifier

__all__ = ["FourierFeatures", "NadarayaWatson", "SVMClassifier", "SoftmaxFeatures"]
