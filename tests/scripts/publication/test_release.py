"""A release of a small repository: every stated version, the changelog, the commit, the tag, and refusals."""

import shutil
import subprocess

import pytest

from scripts.publication import release as releasing
from scripts.publication.commands import git
from scripts.publication.release import ROOT, ReleaseError, news_of, release, stating_files

CHANGES = "# Changelog\n\n## Unreleased\n\n- A chapter.\n\n## 0.1.0 (2026-11-20)\n\n- The first edition.\n"


@pytest.fixture
def repository(tmp_path):
    """A repository with the files of ours that state the version, and two entries in its changelog."""
    for file in stating_files(ROOT):
        copy = tmp_path / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    for name, value in (("name", "A Maintainer"), ("email", "maintainer@example.org")):
        git(tmp_path, "config", f"user.{name}", value)
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--message", "Begin")
    return tmp_path


def test_a_release_changes_every_stated_version_and_dates_the_news(repository):
    assert release(repository, "7.8.9", "2027-01-02") == "v7.8.9"
    assert str(releasing.stated_version(repository)) == "7.8.9"
    assert "date-released: 2027-01-02" in (repository / "CITATION.cff").read_text()
    changelog = (repository / "CHANGELOG.md").read_text()
    assert "## Unreleased\n\n## 7.8.9 (2027-01-02)\n\n- A chapter.\n" in changelog
    assert news_of(changelog, "7.8.9") == "- A chapter.\n"
    assert news_of(changelog, "0.1.0") == "- The first edition.\n"
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "log", "-1", "--format=%s %D").startswith("Release 7.8.9 HEAD -> ")
    assert git(repository, "describe") == "v7.8.9"


def test_only_lines_that_state_the_version_change(repository):
    release(repository, "7.8.9", "2027-01-02")
    changed = git(repository, "diff", "HEAD~1", "--unified=0", "--", ".", ":!CHANGELOG.md").splitlines()
    lines = [line[1:] for line in changed if line[0] in "+-" and line[:3] not in ("+++", "---")]
    assert len(lines) == 2 * (len(stating_files(repository)) + 1)
    assert all("version" in line or line.startswith("date-released") for line in lines)


@pytest.mark.parametrize("text", ["0.0.9", "1.2", "next", "v7.8.9", "7.8.9rc1"])
def test_a_version_of_another_form_or_below_the_current_one_is_refused(repository, text):
    with pytest.raises(ReleaseError, match=f"the version '{text}' came, expected three numbers above"):
        release(repository, text, "2027-01-02")


def test_nothing_changes_where_something_is_missing(repository):
    (repository / "notes.txt").write_text("not committed")
    with pytest.raises(ReleaseError, match=r"are not committed.*\n.*notes.txt"):
        release(repository, "7.8.9", "2027-01-02")
    (repository / "notes.txt").unlink()
    git(repository, "tag", "v7.8.9")
    with pytest.raises(ReleaseError, match=r"the tag v7\.8\.9 exists"):
        release(repository, "7.8.9", "2027-01-02")
    (repository / "CHANGELOG.md").write_text(CHANGES.replace("- A chapter.\n", ""))
    git(repository, "commit", "--all", "--message", "Say nothing")
    with pytest.raises(ReleaseError, match=r"CHANGELOG\.md says nothing under '## Unreleased'"):
        release(repository, "7.8.10", "2027-01-02")
    assert git(repository, "status", "--porcelain") == ""


def test_files_that_state_different_versions_are_named(repository):
    file = repository / "lib" / "margins" / "pyproject.toml"
    file.write_text(releasing.STATED.sub(r"\g<1>0.0.1\3", file.read_text()))
    with pytest.raises(ReleaseError, match=r"different versions .*lib/margins/pyproject.toml: 0.0.1"):
        release(repository, "7.8.9", "2027-01-02")


def test_our_own_changelog_has_news_and_the_version_that_the_files_state():
    changelog = (ROOT / "CHANGELOG.md").read_text("utf8")
    assert news_of(changelog, releasing.stated_version(ROOT))
    assert releasing.UNRELEASED in changelog
