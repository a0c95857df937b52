"""Cheaper imports in the sandbox, where scipy is loaded anew for every submission.

Modules that scipy brings along and answers hardly ever use are loaded at their first use, and scipy does not
rewrite the docstrings of its functions, which nobody reads there. Each is a third of the time that it takes.
(book: Teaching with this book, How marking works)
"""

import importlib.util
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder

SELDOM_USED = ("numpy.f2py", "numpy.ma", "numpy.testing", "pydoc", "scipy.spatial")
DOCSTRINGS = "scipy._lib._docscrape"


class Lazily:
    """The finder of these modules: what it finds runs when something in it is asked for.

    It does not derive from `importlib.abc.MetaPathFinder`, whose import would take longer than it saves.
    """

    def find_spec(self, name, path=None, target=None):
        if name == DOCSTRINGS:
            return changed_after_loading(PathFinder.find_spec(name, path, target), _read_no_docstrings)
        if name not in SELDOM_USED:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = importlib.util.LazyLoader(spec.loader)
        return spec


def changed_after_loading(spec: ModuleSpec | None, change: Callable) -> ModuleSpec | None:
    """The spec of a module to which something is done when it has been loaded."""
    if spec is None:
        return None
    load = spec.loader.exec_module

    def load_then_change(module):
        load(module)
        change(module)

    spec.loader.exec_module = load_then_change
    return spec


def _read_no_docstrings(module):
    """Every function as one without a docstring, which scipy's parser of docstrings knows how to treat."""
    documented = module.FunctionDoc.__init__

    def undocumented(self, func, role="func", doc=None, config=None):
        documented(self, func, role, doc or "", config)

    module.FunctionDoc.__init__ = undocumented
