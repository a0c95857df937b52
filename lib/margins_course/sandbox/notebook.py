"""Stand-ins for what Jupyter offers to code, such as `display`; they need nothing outside of the sandbox.

`display` prints the plain text of a value and keeps figures to be drawn, `get_ipython()` accepts whatever it
is asked, and so do the modules `IPython` and `IPython.display`: code that was written in a notebook runs.
(book: Teaching with this book, How marking works)
"""

import builtins
import sys
from importlib.machinery import ModuleSpec, PathFinder

from margins_course.sandbox import figures
from margins_course.sandbox.lazy_modules import changed_after_loading

CHOOSING = {"matplotlib": "use", "matplotlib.pyplot": "switch_backend"}  # which fail where no window opens


class Notebook:
    """A stand-in of the notebook program: every attribute can be read, set and called, and does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Notebook()

    def __call__(self, *_, **__):
        return None

    def getoutput(self, *_, **__):
        """The lines that a program of the system printed: none runs."""
        return []


class Rich:
    """A stand-in of HTML, Markdown and the like: it prints as the text that it was made of."""

    def __init__(self, data=None, *_, **__):
        self.data = data

    def __repr__(self):
        return self.data if isinstance(self.data, str) else ""


def display(*values: object, **_: object) -> None:
    """The values as text; figures are drawn when the cell has ended."""
    for value in values:
        if figures.is_figure(value):
            figures.show(value)
        else:
            print(repr(value))


def get_ipython() -> Notebook:
    """The stand-in of the notebook program."""
    return Notebook()


class StandIns:
    """The finder of the modules `IPython` and `IPython.display`, and of matplotlib with one backend."""

    def find_spec(self, name, path=None, target=None):
        if name == "IPython":
            return ModuleSpec(name, self, is_package=True)
        if name == "IPython.display":
            return ModuleSpec(name, self)
        if name in CHOOSING:
            found = PathFinder.find_spec(name, path, target)
            return changed_after_loading(found, _choosing_one_backend(CHOOSING[name]))
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        """The names that code imports from IPython; other parts of it are the real ones, where installed."""
        if module.__name__ == "IPython":
            real = PathFinder.find_spec("IPython")
            module.__path__ = list(real.submodule_search_locations) if real else []
            module.get_ipython, module.display = get_ipython, sys.modules[__name__]
            module.version_info, module.__version__ = (9, 0, 0), "9.0.0"
        else:
            module.display, module.clear_output = display, lambda *_, **__: None
            module.__getattr__ = _rich_kind


def _rich_kind(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Rich


def _choosing_one_backend(name):
    """A change to a module: its function `name` takes any backend and chooses the box's own."""

    def change(module):
        choose = getattr(module, name)
        setattr(module, name, lambda *_, **__: choose("agg"))

    return change


def install() -> None:
    """The stand-ins in the place of the real ones."""
    builtins.display, builtins.get_ipython = display, get_ipython
    sys.meta_path.insert(0, StandIns())
