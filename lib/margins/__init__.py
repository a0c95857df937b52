"""The mathematics of *Margins of Attention*: support vector machines, kernels and attention.

Importing the package loads nothing, not even NumPy; a subpackage is loaded by the first use of its name
(``margins.svm.smo``) or by an import of its own (``from margins.svm import smo``).

Conventions that hold in every subpackage:

- Points are the rows of a matrix, ``(n, d)``; shapes stand in the docstrings. float32 stays float32, all else
  is computed in float64.
- Randomness: a function takes ``rng``, a ``numpy.random.Generator`` or an integer seed; an estimator takes
  ``random_state``, as in scikit-learn. The same seed gives the same numbers; no function draws from NumPy's
  global state.
- A kernel is a function ``k(X, Y=None)`` of two matrices ``(n, d)`` and ``(m, d)`` that returns ``(n, m)``.
- Bad input raises a ``ValueError`` that names the argument, what came and what was expected.
"""

from __future__ import annotations

import pkgutil
from types import ModuleType

__version__ = "0.1.0"


def __getattr__(name: str) -> ModuleType:
    """The subpackage or module of this name, imported now: ``margins.svm`` works after ``import margins``."""
    if name not in _public_modules():
        known = ", ".join(_public_modules())
        raise AttributeError(f"module 'margins' has no attribute {name!r}; its modules are {known}")
    return pkgutil.resolve_name(f"margins.{name}:")  # the colon says that all of it is a module


def __dir__() -> list[str]:
    return ["__version__", *_public_modules()]


def _public_modules() -> list[str]:
    """The names of the modules in this folder that are public, sorted."""
    return sorted(found.name for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_"))
