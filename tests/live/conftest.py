"""A fresh machine in a folder: a copy of the repository, an environment from the lock alone, as in Binder."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Machine:
    repository: Path
    python: Path


def copy_of_repository(target):
    """The files that git knows or would add: what a clone of the next commit holds."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split(
        "\0"
    ):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


@pytest.fixture(scope="session")
def machine(tmp_path_factory):
    """What Binder ends with: lock installed into an empty environment, `postBuild` run."""
    folder = tmp_path_factory.mktemp("binder")
    repository, environment = copy_of_repository(folder / "repository"), folder / "environment"
    python = environment / "bin" / "python"
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", "--seed", "--python", sys.executable, environment], check=True)
    lock = repository / ".binder" / "requirements.txt"
    subprocess.run([*uv, "pip", "install", "--quiet", "--python", python, "-r", lock], check=True)
    variables = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", ".binder/postBuild"], cwd=repository, env=variables, check=True)
    return Machine(repository, python)
