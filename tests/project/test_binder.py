"""What Binder would do with this repository, as repo2docker itself says it, without a container engine."""

import os
import subprocess
from pathlib import Path

import pytest
from repo2docker.buildpacks import PythonBuildPack

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory):
    """The Python and the Dockerfile of what git knows; repo2docker walks through all that it is given."""
    clone, here = tmp_path_factory.mktemp("clone"), os.getcwd()
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in {Path(file).parts[0] for file in tracked.splitlines()}:
        (clone / name).symlink_to(ROOT / name)
    os.chdir(clone)
    try:
        pack = PythonBuildPack(base_image="docker.io/library/buildpack-deps:jammy")
        pack.platform = "linux/amd64"
        assert pack.detect()
        yield pack.python_version, pack.render()
    finally:
        os.chdir(here)


def test_python_is_supported(dockerfile):
    assert dockerfile[0] == "3.12"


def test_the_lock_is_installed(dockerfile):
    assert '--no-cache-dir -r ".binder/requirements.txt"' in dockerfile[1]
    assert (ROOT / ".binder/requirements.txt").read_text() == "-r ../requirements.txt\n"


def test_the_sources_are_there_before_the_lock_is_read(dockerfile):
    text = dockerfile[1]
    assert (
        text.index("COPY --chown=")
        < text.index("# Copy stuff.")
        < text.index('-r ".binder/requirements.txt"')
    )


def test_post_build_runs(dockerfile):
    assert ".binder/postBuild" in dockerfile[1]
    assert os.access(ROOT / ".binder/postBuild", os.X_OK)
