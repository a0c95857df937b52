"""Packages that a page does not have: imported without an error, refused when they are used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import in_page
from in_page.missing import Missing

BLOCKED = """
import sys
for name in ("matplotlib", "sklearn", "IPython", "joblib"):
    sys.modules.pop(name, None)
class Blind:  # what a page has not got
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in ("matplotlib", "sklearn", "IPython", "joblib"):
            from in_page.missing import Finder
            return Finder.find_spec(name)
sys.meta_path.insert(0, Blind)
"""


def run(code):
    """What a fresh Python prints in which these packages are missing."""
    environment = {**os.environ, "PYTHONPATH": str(Path(in_page.__file__).parents[1])}
    command = [sys.executable, "-c", BLOCKED + code]
    process = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_imports_pass_and_uses_say_what_is_missing():
    said = run("""
import matplotlib.pyplot as plt
from sklearn.svm import SVC
from sklearn.base import BaseEstimator
class Mine(BaseEstimator): pass
for use in (plt.plot, SVC):
    try:
        use(1)
    except ModuleNotFoundError as reason:
        print(reason)
""")
    assert said.splitlines() == [
        f"{name} is not in the page; open the chapter as a notebook to use it"
        for name in ("matplotlib.pyplot.plot", "sklearn.svm.SVC")
    ]


def test_figures_are_made_without_matplotlib():
    said = run("""
from IPython.display import Markdown  # a chapter imports it, so figures ask IPython for a shell
import explorable.style
from margins_book.svm_duality import figures
from explorable import Drawing, explore, slider
@explore(x=slider(0, 1), caption="A line.")
def line(x):
    drawing = Drawing()
    drawing.panel("plane", xlim=(0, 1), ylim=(0, 1)).plot([0, 1], [0, x], key="line")
    return drawing, "A line."
print(line.frame({"x": 0.5})["text"])
""")
    assert said == "A line.\n"


@pytest.mark.parametrize("use", [list, len, bool, lambda x: x + 1, lambda x: x[0], lambda x: x == 1])
def test_every_use_is_refused(use):
    with pytest.raises(ModuleNotFoundError, match="cvxpy is not in the page"):
        use(Missing("cvxpy"))
    assert not hasattr(Missing("cvxpy"), "__wrapped__")
