"""A reader's machine in a folder, as in Binder: the branch of notebooks and its environment."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.publish import MADE, ROOT, fill_branch

COMMIT = "main"  # the library is installed from the repository here


@dataclass(frozen=True)
class Machine:
    notebooks: Path
    python: Path
    fonts: Path  # Matplotlib's list of them; that in the home folder may be of another environment


def install(python, *what):
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    subprocess.run([*uv, *what], check=True)


@pytest.fixture(scope="session")
def machine(tmp_path_factory, pytestconfig):
    """The branch's notebooks, and a Python for them: this one, in `make test ALL=1` that of Binder."""
    folder = tmp_path_factory.mktemp("binder")
    tree = folder / "tree"
    fill_branch(MADE, tree, COMMIT)
    own = "not full" in pytestconfig.option.markexpr
    python = Path(sys.executable) if own else environment(folder, tree)
    fonts = ROOT / "_build" / "matplotlib" if own else folder / "fonts"
    listing = [python, "-c", "import matplotlib.font_manager"]
    subprocess.run(listing, env=os.environ | {"MPLCONFIGDIR": str(fonts)}, check=True)
    return Machine(tree, python, fonts)


def environment(folder, tree):
    """What Binder ends with: JupyterLab, which it brings, the branch's packages, the library, `postBuild`."""
    python = folder / "environment" / "bin" / "python"
    uv = [sys.executable, "-m", "uv", "venv", "--quiet", "--seed", "--python", sys.executable]
    subprocess.run([*uv, folder / "environment"], check=True)
    lines = (tree / ".binder" / "requirements.txt").read_text().splitlines(keepends=True)
    (folder / "requirements.txt").write_text("".join(line for line in lines if " @ git+" not in line))
    install(python, "-r", folder / "requirements.txt")
    install(python, "jupyterlab", "--constraint", ROOT / "requirements.txt")
    install(python, "--no-deps", "--editable", library(folder))
    variables = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", ".binder/postBuild"], cwd=tree, env=variables, check=True)
    return python


def library(folder):
    """A copy of what pip installs, so that nothing is written into the repository."""
    copy = folder / "repository"
    shutil.copytree(ROOT / "lib", copy / "lib", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    return copy
