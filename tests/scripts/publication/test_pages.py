"""Publishing the site to a repository on this machine: one commit, whatever was there before."""

import pytest

from scripts.publication.commands import GitError, git
from scripts.publication.pages import BRANCH, ROOT, publish


@pytest.fixture
def forge(tmp_path):
    """An empty repository that can be pushed to."""
    git(tmp_path, "init", "--quiet", "--bare", "forge.git")
    return tmp_path / "forge.git"


def site(folder, words):
    """A folder with a site of two files, in one of which are some words."""
    (folder / "_static").mkdir(parents=True)
    (folder / "index.html").write_text(words)
    (folder / "_static" / "book.css").write_text("p {}")
    return folder


def test_the_branch_holds_the_newest_site_in_one_commit(tmp_path, forge):
    for words in ("first", "second"):
        publish(site(tmp_path / words, words), ROOT, str(forge))
    files = git(forge, "ls-tree", "-r", "--name-only", BRANCH).split()
    assert files == [".nojekyll", "_static/book.css", "index.html"]
    assert git(forge, "show", f"{BRANCH}:index.html") == "second"
    assert git(forge, "rev-list", "--count", BRANCH) == "1"
    ours = git(ROOT, "log", "-1", "--format=The site of %h|%ct")
    assert git(forge, "log", "-1", "--format=%s|%ct", BRANCH) == ours


def test_a_folder_without_a_site_and_a_repository_that_is_not_there_are_named(tmp_path, forge):
    with pytest.raises(SystemExit, match="holds no site; run `make book` first"):
        publish(tmp_path, ROOT, str(forge))
    with pytest.raises(GitError, match=r"git push failed: .*nowhere"):
        publish(site(tmp_path / "a", "words"), ROOT, str(tmp_path / "nowhere"))
