"""The core runs on NumPy alone: in a browser's Python, and before anything else is installed."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from margins import checks

UNWANTED = ("scipy", "sklearn", "cvxpy", "matplotlib")
PROGRAM = """
    import importlib, importlib.abc, sys

    class Refuse(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in {unwanted}:
                raise ImportError("made unimportable by the test: " + name)

    sys.meta_path.insert(0, Refuse())
    for module in {modules}:
        importlib.import_module("margins." + module)
    loaded = sorted(set(sys.modules) & set({unwanted}))
    assert not loaded, loaded
"""


def run(*modules, unwanted=UNWANTED):
    program = textwrap.dedent(PROGRAM).format(modules=modules, unwanted=unwanted)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "module",
    [
        "validation",
        "svm",
        "descent",
        "kernels",
        "softmax_kernel",
        "attention",
        "attention_svm",
        "random_features",
    ],
)
def test_core_module_needs_numpy_alone(module):
    answer = run(module)
    assert answer.returncode == 0, answer.stderr


def test_the_checks_need_numpy_alone():
    """Every box in which a submission is marked imports those of its chapter, and most answers no more."""
    files = Path(checks.__path__[0]).glob("*.py")
    answer = run(*(f"checks.{file.stem}" for file in files if file.stem != "__init__"))
    assert answer.returncode == 0, answer.stderr


def test_the_refusal_works():
    answer = run("kernels", unwanted=("numpy", "nothing"))
    assert "made unimportable by the test: numpy" in answer.stderr
