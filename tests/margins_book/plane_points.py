"""Four labelled points of the plane with multipliers and a line, for the tests of drawings of an SVM."""

import numpy as np

X = np.array([[2.0, 0.0], [0.5, 1.0], [-1.0, 0.0], [0.2, -1.0]])
Y = np.array([1.0, 1.0, -1.0, -1.0])
W, B = np.array([1.5, 0.5]), -0.25
ALPHA = np.array([0.0, 1.0, 0.3, 0.7])
