"""The wheel of the library: built, installed beside NumPy alone, used."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import margins

SOURCE = Path(margins.__path__[0])
USE = """
import sys
import margins
K = margins.kernels.linear([[1.0], [-1.0]])
print(margins.svm.smo(K, [1, -1], C=1.0).alpha)
print(sorted(set(sys.modules) & {"scipy", "sklearn", "cvxpy", "matplotlib"}))
for ask in (
    lambda: margins.svm.dual_qp(K, [1, -1]),
    lambda: margins.attention_svm.least_distance([[1.0, 0.0], [0.0, 1.0]]),
    lambda: margins.estimators.SVMClassifier(),
):
    try:
        ask()
    except ImportError as error:
        print(error)
"""
pytestmark = pytest.mark.full


def run(*command, **options):
    answer = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built by hatchling in this environment; nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=SOURCE)
    (built,) = folder.glob("margins-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The interpreter of an environment that has NumPy, borrowed from this one, and the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "uv", "venv", "--quiet", "--python", sys.executable, folder)
    interpreter = folder / "bin" / "python"
    install = "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--offline", "--python", interpreter
    run(sys.executable, *install, wheel)
    site = run(interpreter, "-c", "import site; print(site.getsitepackages()[0])").strip()
    for borrowed in Path(np.__file__).parents[1].glob("numpy*"):
        (Path(site) / borrowed.name).symlink_to(borrowed)
    return interpreter


def test_the_wheel_holds_every_module_and_the_types(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("margins/")}
    source = {f"margins/{file.relative_to(SOURCE).as_posix()}" for file in SOURCE.rglob("*.py")}
    data = {f"margins/data/{file.name}" for file in (SOURCE / "data").glob("*.csv")}
    assert "margins/data/heads.csv" in data
    assert held == source | data | {"margins/py.typed"}


def test_the_core_runs_beside_numpy_alone_and_names_what_else_it_needs(python, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    assert run(python, "-c", USE, cwd=tmp_path, env=environment).splitlines() == [
        "[0.5 0.5]",
        "[]",
        "margins.svm.dual_qp needs cvxpy: pip install 'margins[solvers]'",
        "margins.attention_svm.least_distance needs scipy: pip install 'margins[solvers]'",
        "margins.estimators needs sklearn: pip install 'margins[sklearn]'",
    ]
