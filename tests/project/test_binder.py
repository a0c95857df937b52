"""What Binder would do with the branch of notebooks, as repo2docker says it, without a container engine."""

import os
import re

import pytest
from repo2docker.buildpacks import PythonBuildPack

from scripts.publish import ROOT, fill_branch

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NOT_FOR_READERS = (
    "playwright",
    "nodejs",
    "nbgrader",
    "jupytext",
    "jupyterlab-myst",
    "pytest",
    "sphinx",
    "mypy",
)


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The folder that becomes the branch, with one notebook."""
    folder = tmp_path_factory.mktemp("branch")
    (folder / "made").mkdir()
    (folder / "made" / "04_page.ipynb").write_text("{}")
    fill_branch(folder / "made", folder / "tree", COMMIT)
    return folder / "tree"


@pytest.fixture(scope="module")
def dockerfile(published):
    """The Python and the Dockerfile of the branch."""
    here = os.getcwd()
    os.chdir(published)
    try:
        pack = PythonBuildPack(base_image="docker.io/library/buildpack-deps:jammy")
        pack.platform = "linux/amd64"
        assert pack.detect()
        yield pack.python_version, pack.render()
    finally:
        os.chdir(here)


def requirements(published):
    return (published / ".binder" / "requirements.txt").read_text("utf8")


def test_the_branch_holds_notebooks_and_the_environment_of_readers(published):
    files = {path.relative_to(published).as_posix() for path in published.rglob("*") if path.is_file()}
    assert files == {
        "04_page.ipynb",
        "README.md",
        ".binder/requirements.txt",
        ".binder/runtime.txt",
        ".binder/postBuild",
        ".binder/labconfig/default_setting_overrides.json",
        ".binder/labconfig/page_config.json",
    }


def test_readers_get_what_the_library_needs_and_the_library_of_the_same_commit(published, dockerfile):
    python, file = dockerfile
    assert python == "3.12"
    assert '--no-cache-dir -r ".binder/requirements.txt"' in file
    text = requirements(published)
    assert re.search(rf"^margins-of-attention @ git\+https://\S+@{COMMIT}$", text, re.MULTILINE)
    for name in ("numpy", "cvxpy", "anywidget", "ipywidgets"):
        assert re.search(rf"^{name}==", text, re.MULTILINE)


def test_readers_get_no_tool_of_authors(published):
    assert re.findall(rf"^(?:{'|'.join(NOT_FOR_READERS)})\b.*", requirements(published), re.MULTILINE) == []


def test_the_versions_are_those_of_the_lock(published):
    lock = {line.split(" ;")[0] for line in (ROOT / "requirements.txt").read_text().splitlines()}
    pins = [line.split(" ;")[0] for line in requirements(published).splitlines() if "==" in line]
    assert len(pins) > 40
    assert set(pins) <= lock


def test_post_build_runs(published, dockerfile):
    assert ".binder/postBuild" in dockerfile[1]
    assert os.access(published / ".binder/postBuild", os.X_OK)
