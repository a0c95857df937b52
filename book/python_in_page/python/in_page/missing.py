"""Packages that a page does not have: they can be imported, and say what is missing when they are used.

A chapter imports matplotlib at its beginning and needs it in few cells. All others shall run.
"""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGES = {
    "IPython",
    "anywidget",
    "cvxpy",
    "distributed",
    "joblib",
    "matplotlib",
    "sklearn",
    "statsmodels",
    "threadpoolctl",
    "torch",
    "traitlets",
    "yaml",
}
PARTLY_HERE = "scipy"  # its other subpackages are missing
REMEDY = "is not in the page; open the chapter as a notebook to use it"


class Missing:
    """A name of a package that is not in the page: whatever is done with it raises the same error."""

    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    def _refuse(self, *args, **kwargs):
        raise ModuleNotFoundError(f"{self._name} {REMEDY}")

    __call__ = __getitem__ = __setitem__ = __setattr__ = __iter__ = __len__ = __bool__ = _refuse
    __enter__ = __add__ = __radd__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __eq__ = _refuse
    __exit__ = __lt__ = __gt__ = __le__ = __ge__ = __sub__ = __rsub__ = __truediv__ = _refuse
    __hash__ = object.__hash__

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)  # Python asks for these by itself
        return Missing(f"{self._name}.{name}")

    def __mro_entries__(self, bases):
        """A class may name it as its base: it fails when a method needs the base."""
        return ()


class MissingModule(ModuleType):
    """A module whose names are all missing."""

    __path__ = ()  # a package: what is below it can be imported too

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")


class Finder:
    """What Python asks last for a module that nobody else has found."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        first, _, below = name.partition(".")
        if first in PACKAGES or (first == PARTLY_HERE and below):
            return ModuleSpec(name, Finder, is_package=True)
        return None

    @staticmethod
    def create_module(spec):
        return MissingModule(spec.name)

    @staticmethod
    def exec_module(module):
        """The module stays empty, but IPython answers the figures' question for its shell: none runs."""
        if module.__name__ == "IPython":
            module.get_ipython = lambda: None


def install():
    """Puts the finder behind all others, once."""
    if Finder not in sys.meta_path:
        sys.meta_path.append(Finder)
