"""Publishing the notebooks to a repository on this machine: one commit, whatever was there before."""

import pytest

from scripts.publication.commands import git
from scripts.publication.notebooks import BRANCH, ROOT, publish


def test_the_branch_holds_the_newest_notebooks_in_one_commit(tmp_path):
    git(tmp_path, "init", "--quiet", "--bare", "forge.git")
    forge = tmp_path / "forge.git"
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ipynb").write_text("{}")
        publish(tmp_path / name, ROOT, str(forge))
    files = git(forge, "ls-tree", "-r", "--name-only", BRANCH).split()
    assert "second.ipynb" in files
    assert "first.ipynb" not in files
    assert ".binder/requirements.txt" in files
    assert git(forge, "rev-list", "--count", BRANCH) == "1"
    head = git(ROOT, "rev-parse", "HEAD")
    assert git(forge, "show", f"{BRANCH}:.binder/requirements.txt").endswith(f"@{head}")
    assert git(forge, "log", "-1", "--format=%s", BRANCH) == f"The notebooks of {head[:7]}"


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SystemExit, match=r"there is no .*nowhere; run `make book` first"):
        publish(tmp_path / "nowhere", ROOT, str(tmp_path))
