"""The four packages' own metadata: ranges as the repository's, and wheels with every module and no test."""

import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PACKAGES = ("explorable", "margins", "margins_book", "margins_course")
LEFT_OUT = {"tests", "exercises", "example"}


def project(folder):
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


def requirements(folder):
    """All requirements of a project, those of its extras included."""
    metadata = project(folder)
    extras = metadata.get("optional-dependencies", {}).values()
    return [Requirement(line) for lines in (metadata["dependencies"], *extras) for line in lines]


def sources(package):
    """The modules of a package as they are named in its wheel."""
    library = ROOT / "lib"
    files = (file.relative_to(library) for file in (library / package).rglob("*.py"))
    return {str(file) for file in files if not LEFT_OUT & set(file.parts) and file.name != "conftest.py"}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """By package, the names of the files in its wheel."""
    folder = tmp_path_factory.mktemp("wheels")
    made = {name: next(WheelBuilder(str(ROOT / "lib" / name)).build(directory=folder)) for name in PACKAGES}
    return {name: set(zipfile.ZipFile(wheel).namelist()) for name, wheel in made.items()}


def test_ranges_are_those_of_the_repository():
    known = {canonicalize_name(one.name): one.specifier for one in requirements(ROOT)}
    ours = {canonicalize_name(name) for name in PACKAGES}
    for one in (one for package in PACKAGES for one in requirements(ROOT / "lib" / package)):
        name = canonicalize_name(one.name)
        assert name in ours or known.get(name, one.specifier) == one.specifier, one


def test_all_files_state_one_version():
    version = project(ROOT)["version"]
    assert {project(ROOT / "lib" / package)["version"] for package in PACKAGES} == {version}
    assert f"\nversion: {version}\ndate-released: " in (ROOT / "CITATION.cff").read_text("utf8")
    assert f'\n__version__ = "{version}"\n' in (ROOT / "lib" / "margins" / "__init__.py").read_text("utf8")
    assert "\n## Unreleased\n\n-" in (ROOT / "CHANGELOG.md").read_text("utf8")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_wheel_holds_every_module_and_no_test(package, wheels):
    modules = {name for name in wheels[package] if name.endswith(".py")}
    assert modules == sources(package)
    assert not [name for name in wheels[package] if LEFT_OUT & set(Path(name).parts)]
    readme = (ROOT / "lib" / package / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# {package}\n")


def test_wheels_hold_the_files_that_their_modules_read(wheels):
    assert {"explorable/explorable.css", "explorable/browser/main.js"} <= wheels["explorable"]
    assert "margins_book/experiments/published.csv" in wheels["margins_book"]
    kept = ("heads", "head_measures", "prompt_networks", "prompt_measures")
    assert {f"margins/data/{name}.csv" for name in kept} <= wheels["margins"]
    of_head = {
        f"margins_book/experiments/trained_head/{name}.txt" for name in ("python_topics", "LICENSE-PYTHON")
    }
    assert of_head <= wheels["margins_book"]
    assert "margins_course/pages/feedback.css" in wheels["margins_course"]
    assert {"margins/py.typed", "explorable/py.typed"} <= wheels["margins"] | wheels["explorable"]
