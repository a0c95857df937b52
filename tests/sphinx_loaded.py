"""What every build of a small book loads, whatever is in it; `tests.sphinx_build` loads it once for all."""

import gc
import importlib
import sys

gc.disable()  # as scripts/build.py spares it, and the grammar
sys.modules["rfc3987_syntax"] = None

for name in (
    "sphinx.cmd.build",
    "jupyter_book.cli.main",
    "jupyter_book.sphinx",
    "myst_nb.sphinx_ext",
    "nbclient",
    "jupyter_cache",
    "joblib",
):
    importlib.import_module(name)
for name in sys.modules["sphinx.application"].builtin_extensions:
    importlib.import_module(name)
