"""Renaming of global names in code: nothing else changes."""

import pytest

from margins_course.assignments.renaming import CannotRenameError, rename_globals

NAMES = {"X": "X_k", "f": "f_k"}


RENAMED = {
    "X = 1  # X stays\ny = a.X + X": "X_k = 1  # X stays\ny = a.X + X_k",
    "from m import X\nimport X": "from m import X as X_k\nimport X as X_k",
    "def f(X, k=X):\n    return X + f(X, X=X)": "def f_k(X, k=X_k):\n    return X + f_k(X, X=X)",
    "z = [X for X in X]\nw = [X for q in X if X]": "z = [X for X in X_k]\nw = [X_k for q in X_k if X_k]",
    "g = lambda a=X: X + a\nh = lambda X: X": "g = lambda a=X_k: X_k + a\nh = lambda X: X",
    's = f"{X} {[X for X in X]} {X!r:>{X}} X"': "s = f'{X_k} {[X for X in X_k]} {X_k!r:>{X_k}} X'",
    'é = "é"; X = X': 'é = "é"; X_k = X_k',
    "@f\ndef f(x):  # corner: X\n    return X": "@f_k\ndef f_k(x):  # corner: X\n    return X_k",
    "for X in X:\n    X += X[0]": "for X_k in X_k:\n    X_k += X_k[0]",
    "def g(x: X) -> X:\n    X = x\n    return X": "def g(x: X_k) -> X_k:\n    X = x\n    return X",
    "class f(X):\n    def X(self):\n        return f": None,
    "def g():\n    global X\n    X = 3": None,
    "try:\n    pass\nexcept E as X:\n    pass": None,
    "import X.y": None,
}


@pytest.mark.parametrize("source", RENAMED)
def test_global_names_are_exchanged_and_nothing_else(source):
    if RENAMED[source] is None:
        with pytest.raises(CannotRenameError):
            rename_globals(source, NAMES)
    else:
        assert rename_globals(source, NAMES) == RENAMED[source]
