"""The lock in requirements.txt and the ranges in pyproject.toml agree on every supported Python."""

import json
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PYTHONS = ("3.11", "3.12", "3.13")


def ranges():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    return [Requirement(line) for line in project["dependencies"] + extras["book"] + extras["test"]]


def locked(python):
    """Name -> version of what the lock installs on that Python under Linux."""
    environment = {"python_version": python, "python_full_version": f"{python}.5", "sys_platform": "linux"}
    environment |= {"platform_system": "Linux", "platform_machine": "x86_64", "os_name": "posix"}
    environment |= {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
    versions = {}
    for line in (ROOT / "requirements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate(environment):
                versions[canonicalize_name(requirement.name)] = str(requirement.specifier).removeprefix("==")
    return versions


@pytest.mark.parametrize("python", PYTHONS)
def test_every_range_holds_its_locked_version(python):
    versions = locked(python)
    for requirement in ranges():
        name = canonicalize_name(requirement.name)
        assert name in versions, f"{name} is in pyproject.toml but not in the lock: run `make lock`"
        assert versions[name] in requirement.specifier, (
            f"{name} {versions[name]} is outside {requirement.specifier}"
        )


def test_nothing_that_builds_the_book_is_without_an_upper_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [
        Requirement(line) for line in project["dependencies"] + project["optional-dependencies"]["book"]
    ]
    bounds = {range_.name: {bound.operator for bound in range_.specifier} for range_ in needed}
    assert [name for name, operators in bounds.items() if not operators & {"<", "=="}] == []
    assert "sphinx-book-theme" in bounds, "sphinx-proof and sphinx-exercise take any, of the next Sphinx too"


def test_lock_pins_exactly():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    loose = [line for line in lines if line and not line.startswith("#") and "==" not in line]
    assert not loose


def test_front_end_lock_follows_its_ranges():
    wanted = json.loads((ROOT / "book/frontend/package.json").read_text())
    lock = json.loads((ROOT / "book/frontend/package-lock.json").read_text())["packages"]
    for name, version in wanted["dependencies"].items():
        assert lock[f"node_modules/{name}"]["version"] == version
        assert lock[f"node_modules/{name}"]["integrity"].startswith("sha512-")
