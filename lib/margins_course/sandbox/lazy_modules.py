"""Modules that the import of scipy brings along and answers hardly ever use, loaded at their first use.

They are a third of the time that scipy takes to load, and in every box it is loaded anew.
(book: Teaching with this book, How marking works)
"""

import importlib.util
from importlib.machinery import PathFinder

SELDOM_USED = ("numpy.f2py", "numpy.ma", "numpy.testing", "pydoc", "scipy.spatial")


class Lazily:
    """The finder of these modules: what it finds runs when something in it is asked for.

    It does not derive from `importlib.abc.MetaPathFinder`, whose import would take longer than it saves.
    """

    def find_spec(self, name, path=None, target=None):
        if name not in SELDOM_USED:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = importlib.util.LazyLoader(spec.loader)
        return spec
