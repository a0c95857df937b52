"""The wheels in an empty environment, away from this repository: installed from PyPI's packages, and used."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.full
ROOT = Path(__file__).parents[2]
UV = (sys.executable, "-m", "uv")
README_BLOCK = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf8"), re.S)[1]
NEEDS = """
import margins
for ask in (
    lambda: margins.svm.dual_qp([[1.0]], [1, -1]),
    lambda: margins.attention_svm.least_distance([[1.0, 0.0], [0.0, 1.0]]),
    lambda: margins.estimators.SVMClassifier(),
):
    try:
        ask()
    except ImportError as error:
        print(error)
"""
FIGURE = """
from explorable import Drawing, explore, slider
@explore(x=slider(0, 1), caption="A line.")
def line(x):
    drawing = Drawing()
    drawing.panel("plane", xlim=(0, 1), ylim=(0, 1)).plot([0, 1], [0, x], key="line")
    return drawing, f"It ends at {x:g}."
print(line.frame({"x": 0.5})["text"])
"""


def run(*command, folder, **variables):
    """What a command prints, away from this repository."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")} | variables
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The folder with the wheels of all packages."""
    folder = tmp_path_factory.mktemp("wheels")
    for package in (ROOT / "lib").glob("*/pyproject.toml"):
        options = (
            "--quiet",
            "--wheel",
            "--no-build-isolation",
            f"--out-dir={folder}",
            f"--python={sys.executable}",
        )
        run(*UV, "build", *options, str(package.parent), folder=folder)
    return folder


@pytest.fixture
def environment(tmp_path, wheels):
    """A function that makes an environment with one of the packages, and gives the folder of its programs."""

    def made(package):
        run(*UV, "venv", "--quiet", f"--python={sys.executable}", str(tmp_path / "venv"), folder=tmp_path)
        install = (*UV, "pip", "install", "--quiet", f"--python={tmp_path}/venv/bin/python")
        run(*install, f"--find-links={wheels}", package, folder=tmp_path)
        return tmp_path / "venv" / "bin"

    return made


def installed(programs, folder):
    """The names of the packages in an environment."""
    listing = "import importlib.metadata as m; print(*(d.name for d in m.distributions()))"
    return set(run(str(programs / "python"), "-c", listing, folder=folder).split())


def test_the_library_needs_numpy_alone(environment, tmp_path):
    programs = environment("margins")
    assert installed(programs, tmp_path) == {"margins", "numpy"}
    assert run(str(programs / "python"), "-c", README_BLOCK, folder=tmp_path) == "True\n"
    assert run(str(programs / "python"), "-c", NEEDS, folder=tmp_path).splitlines() == [
        "margins.svm.dual_qp needs cvxpy: pip install 'margins[solvers]'",
        "margins.attention_svm.least_distance needs scipy: pip install 'margins[solvers]'",
        "margins.estimators needs sklearn: pip install 'margins[sklearn]'",
    ]


def test_the_figure_engine_draws_without_the_book(environment, tmp_path):
    programs = environment("explorable")
    assert not {"margins", "margins-book", "sphinx"} & installed(programs, tmp_path)
    assert run(str(programs / "python"), "-c", FIGURE, folder=tmp_path) == "It ends at 0.5.\n"


def test_coursework_is_released_from_the_book_that_a_variable_names(environment, tmp_path):
    command = str(environment("margins-course") / "margins-course")
    lost = subprocess.run([command, "new", "first", "1"], cwd=tmp_path, capture_output=True, text=True)
    assert "set MARGINS_BOOK to the folder of the book" in lost.stderr
    book = {"MARGINS_BOOK": str(ROOT)}
    run(command, "new", "first", "1", folder=tmp_path, **book)
    file = Path(tmp_path, "assignments", "first", "assignment.yml")
    settings = yaml.safe_load(file.read_text())
    settings["exercises"] = {key: labels[:1] for key, labels in settings["exercises"].items()}
    file.write_text(yaml.safe_dump(settings))
    said = run(command, "release", "first", folder=tmp_path, **book)
    assert "every check was tried" in said
    assert (tmp_path / "release" / "first" / "first.ipynb").is_file()
