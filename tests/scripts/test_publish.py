"""Publishing to a repository on this machine: one commit, whatever was there before."""

import pytest

from scripts.publish import ROOT, git, publish_notebooks, publish_site


@pytest.fixture
def forge(tmp_path):
    """An empty repository that can be pushed to."""
    git(tmp_path, "init", "--quiet", "--bare", "forge.git")
    return tmp_path / "forge.git"


def head_of(forge, branch):
    """The files of a branch, of one commit with the message and the date of ours."""
    assert git(forge, "rev-list", "--count", branch) == "1"
    ours = git(ROOT, "log", "-1", "--format=Made from %h|%ct")
    assert git(forge, "log", "-1", "--format=%s|%ct", branch) == ours
    return git(forge, "ls-tree", "-r", "--name-only", branch).split()


def test_the_branch_has_the_newest_site_in_one_commit(tmp_path, forge):
    for words in ("first", "second"):
        (tmp_path / words / "_static").mkdir(parents=True)
        (tmp_path / words / "index.html").write_text(words)
        (tmp_path / words / "_static" / f"{words}.css").write_text("p {}")
        publish_site(ROOT, str(forge), tmp_path / words)
    assert head_of(forge, "gh-pages") == [".nojekyll", "_static/second.css", "index.html"]
    assert git(forge, "show", "gh-pages:index.html") == "second"


def test_the_branch_has_the_newest_notebooks_and_the_commit_of_their_library(tmp_path, forge):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ipynb").write_text("{}")
        publish_notebooks(ROOT, str(forge), tmp_path / name)
    files = head_of(forge, "notebooks")
    assert "second.ipynb" in files
    assert "first.ipynb" not in files
    commit = git(ROOT, "rev-parse", "HEAD")
    assert git(forge, "show", "notebooks:.binder/requirements.txt").endswith(f"@{commit}")


def test_a_folder_without_a_build_and_a_repository_that_is_not_there_are_named(tmp_path, forge):
    with pytest.raises(SystemExit, match=r"has no index\.html; run `make book` first"):
        publish_site(ROOT, str(forge), tmp_path)
    with pytest.raises(SystemExit, match=r"there is no .*nowhere; run `make book` first"):
        publish_notebooks(ROOT, str(forge), tmp_path / "nowhere")
    (tmp_path / "index.html").touch()
    with pytest.raises(RuntimeError, match=r"git push failed: .*not there"):
        publish_site(ROOT, str(tmp_path / "not there"), tmp_path)
