"""The core runs on NumPy alone: in a browser's Python, and before anything else is installed."""

import pkgutil
import subprocess
import sys
import textwrap

import pytest

import margins
from margins._extras import extra
from margins_book.chapters import chapters

UNWANTED = ("scipy", "sklearn", "cvxpy", "matplotlib")
PROGRAM = """
    import importlib, importlib.abc, sys

    class Refuse(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in {unwanted}:
                raise ImportError("made unimportable by the test: " + name)

    sys.meta_path.insert(0, Refuse())
    for module in {modules}:
        importlib.import_module(module)
    loaded = sorted(set(sys.modules) & set({unwanted}))
    assert not loaded, loaded
"""


CORE = [
    module.name
    for module in pkgutil.walk_packages(margins.__path__, "margins.")
    if not module.name.startswith("margins.estimators")  # the faces for scikit-learn
]
CHECKS = [f"margins_book.{chapter.topic}.checks" for chapter in chapters()]


@pytest.mark.parametrize("modules", [CORE, CHECKS], ids=["library", "checks"])
def test_modules_need_numpy_alone(modules):
    """Each box in which a submission is marked imports its chapter's checks, and most answers no more."""
    program = textwrap.dedent(PROGRAM).format(modules=modules, unwanted=UNWANTED)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


def test_a_missing_package_is_named_with_the_extra_that_brings_it():
    words = r"^margins\.svm\.dual_qp needs nowhere_to_be_found: pip install 'margins\[solvers\]'$"
    with pytest.raises(ModuleNotFoundError, match=words), extra("solvers", "margins.svm.dual_qp"):
        import nowhere_to_be_found.inside  # noqa: F401


def test_an_error_of_the_library_itself_passes():
    with pytest.raises(ModuleNotFoundError, match="No module named"), extra("a", "b"):
        import margins.nothing  # noqa: F401
