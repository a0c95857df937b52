"""The page's stand-in for SciPy, loaded under a name of its own beside SciPy itself."""

import importlib
import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "book/python_in_page/stand_ins/scipy"
NAME = "scipy_of_the_page"


def load(module):
    """A module of the stand-in: "optimize", for example."""
    if NAME not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            NAME, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
        )
        sys.modules[NAME] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[NAME])
    return importlib.import_module(f"{NAME}.{module}")
