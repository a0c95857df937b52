"""Imports in the sandbox: stand-ins for Jupyter's modules, and modules that are loaded at their first use.

`display` prints the plain text of a value and keeps figures to be drawn. `get_ipython()` and the modules
`IPython` and `IPython.display` accept whatever they are asked, so code that was written in a notebook runs.

Each submission loads scipy anew. Modules that scipy brings along and answers hardly ever use are loaded at
their first use, and scipy does not rewrite the docstrings of its functions. Each saves a third of the time.
"""

import builtins
import importlib.util
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

from margins_course.sandbox import figures

LAZY_MODULES = ("numpy.f2py", "numpy.ma", "numpy.testing", "pydoc", "scipy.spatial")


def changed_after_loading(spec: ModuleSpec | None, change: Callable) -> ModuleSpec | None:
    """The spec of a module to which something is done when it has been loaded."""
    if spec is None or spec.loader is None:
        return None
    load = spec.loader.exec_module

    def load_then_change(module):
        load(module)
        change(module)

    spec.loader.exec_module = load_then_change  # type: ignore[method-assign]
    return spec


def _read_no_docstrings(module):
    """Every function as one without a docstring, which scipy's parser of docstrings knows how to treat."""
    documented = module.FunctionDoc.__init__

    def undocumented(self, func, role="func", doc=None, config=None):
        documented(self, func, role, doc or "", config)

    module.FunctionDoc.__init__ = undocumented


class NotebookStandIn:
    """A stand-in of the notebook program: every attribute can be read, set and called, and does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return NotebookStandIn()

    def __call__(self, *_, **__):
        return None

    def getoutput(self, *_: object, **__: object) -> list[str]:
        """The lines that a program of the system printed: none runs."""
        return []


class RichStandIn:
    """A stand-in of HTML, Markdown and the like: it prints as the text that it was made of."""

    def __init__(self, data: object = None, *_: object, **__: object) -> None:
        self.data = data

    def __repr__(self):
        return self.data if isinstance(self.data, str) else ""


def display(*values: object, **_: object) -> None:
    """The values as text; figures are drawn when the cell has ended."""
    for value in values:
        if not figures.keep_figure(value):
            print(repr(value))


class SandboxFinder:
    """The finder of the stand-ins, and of modules that are loaded at their first use or changed when loaded.

    It does not derive from `importlib.abc.MetaPathFinder`, whose import would take longer than it saves.
    """

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name in ("IPython", "IPython.display"):
            return ModuleSpec(name, self, is_package=name == "IPython")  # type: ignore[arg-type]
        if name in CHANGED_MODULES:
            return changed_after_loading(PathFinder.find_spec(name, path, target), CHANGED_MODULES[name])
        spec = PathFinder.find_spec(name, path, target) if name in LAZY_MODULES else None
        if spec is not None and spec.loader is not None:
            spec.loader = importlib.util.LazyLoader(spec.loader)
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        """The names that code imports from IPython; other parts of it are the real ones, where installed."""
        if module.__name__ == "IPython":
            real = PathFinder.find_spec("IPython")
            module.__path__ = list(real.submodule_search_locations or ()) if real else []
            module.get_ipython, module.display = NotebookStandIn, sys.modules[__name__]
            module.version_info, module.__version__ = (9, 0, 0), "9.0.0"
        else:
            module.display, module.clear_output = display, lambda *_, **__: None
            module.__getattr__ = _rich_kind


def _rich_kind(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return RichStandIn


def _choosing_one_backend(name):
    """A change to a module: its function `name` takes any backend and chooses the sandbox's own."""

    def change(module):
        choose = getattr(module, name)
        setattr(module, name, lambda *_, **__: choose("agg"))

    return change


CHANGED_MODULES = {
    "scipy._lib._docscrape": _read_no_docstrings,
    "matplotlib": _choosing_one_backend("use"),  # others fail where no window opens
    "matplotlib.pyplot": _choosing_one_backend("switch_backend"),
}


def install() -> None:
    """The stand-ins and the finder, from now on."""
    vars(builtins).update(display=display, get_ipython=NotebookStandIn)
    sys.meta_path.insert(0, SandboxFinder())
