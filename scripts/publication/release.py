"""`make release VERSION=0.2.0`: the new version in every file that states it, a commit, and a tag.

Nothing leaves this machine: the command prints the line that pushes the tag. A pushed tag starts the workflow
`release.yml`, which builds everything and publishes it.
"""

import argparse
import datetime
import re
import sys
from pathlib import Path

from packaging.version import InvalidVersion, Version

from scripts.publication.commands import GitError, git

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG, CITATION = Path("CHANGELOG.md"), Path("CITATION.cff")
UNRELEASED = "## Unreleased\n"
STATED = re.compile(r'^((?:__)?version(?:__)?(?: = |: )"?)([^"\n]+)("?)$', re.M)  # in TOML, YAML, Python
DATED = re.compile(r"^date-released: .*$", re.M)


class ReleaseError(Exception):
    """Why there can be no release; the message says what came, what was expected and what to do."""


def stating_files(root):
    """The files that state the version: the repository's, each package's, the library's, and the citation."""
    packages = sorted(root.glob("lib/*/pyproject.toml"))
    return [root / "pyproject.toml", *packages, root / "lib" / "margins" / "__init__.py", root / CITATION]


def stated_version(root):
    """The version that all files state."""
    stated = {file: STATED.search(file.read_text("utf8"))[2] for file in stating_files(root)}
    if len(set(stated.values())) > 1:
        lines = ", ".join(f"{file.relative_to(root)}: {version}" for file, version in stated.items())
        raise ReleaseError(f"the files state different versions ({lines}); make them one first")
    return Version(stated[root / CITATION])


def next_version(text, current):
    """The new version from what was typed: a number of the form 1.2.3 that is above the current one."""
    try:
        version = Version(text)
    except InvalidVersion:
        version = None
    if version is None or not re.fullmatch(r"\d+\.\d+\.\d+", text) or version <= current:
        raise ReleaseError(f"the version {text!r} came, expected three numbers above {current}, as 1.2.3")
    return version


def news_of(changelog, version=None):
    """What the changelog says of a version; of what is not released yet, without one."""
    heading = re.escape(UNRELEASED) if version is None else rf"## {re.escape(str(version))} \([^)]*\)\n"
    found = re.search(rf"^{heading}(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if not found or not found[1].strip():
        where = UNRELEASED.strip() if version is None else f"## {version}"
        raise ReleaseError(f"{CHANGELOG} says nothing under {where!r}; write there what is new")
    return found[1].strip() + "\n"


def write_version(root, version, day):
    """The version in all files that state it, the day in the citation, the news under its heading."""
    for file in stating_files(root):
        file.write_text(STATED.sub(rf"\g<1>{version}\3", file.read_text("utf8"), count=1), "utf8")
    citation, changelog = root / CITATION, root / CHANGELOG
    citation.write_text(DATED.sub(f"date-released: {day}", citation.read_text("utf8")), "utf8")
    dated = f"{UNRELEASED}\n## {version} ({day})\n"
    changelog.write_text(changelog.read_text("utf8").replace(UNRELEASED, dated, 1), "utf8")


def require_clean(root, tag):
    """A ReleaseError if files wait to be committed, or if the tag exists."""
    if waiting := git(root, "status", "--porcelain"):
        raise ReleaseError(f"these files are not committed; commit or put them away first:\n{waiting}")
    if git(root, "tag", "--list", tag):
        raise ReleaseError(f"the tag {tag} exists; choose a higher version")


def release(root, text, day):
    """The tag of the new version, with its commit."""
    version = next_version(text, stated_version(root))
    tag = f"v{version}"
    require_clean(root, tag)
    news_of((root / CHANGELOG).read_text("utf8"))
    write_version(root, version, day)
    git(root, "commit", "--all", "--message", f"Release {version}")
    git(root, "tag", "--annotate", tag, "--message", f"Release {version}")
    return tag


def main():
    parser = argparse.ArgumentParser(prog="python -m scripts.publication.release", description=__doc__)
    parser.add_argument("version", help="of the new release, as 1.2.3; with --news, of one that exists")
    parser.add_argument("--news", action="store_true", help="print what the changelog says of a version")
    options = parser.parse_args()
    try:
        if options.news:
            sys.stdout.write(news_of((ROOT / CHANGELOG).read_text("utf8"), options.version.removeprefix("v")))
            return
        tag = release(ROOT, options.version, datetime.date.today())
    except (ReleaseError, GitError) as problem:
        sys.exit(f"No release: {problem}")
    print(f"The commit and the tag {tag} are made. Publish them with: git push --follow-tags")


if __name__ == "__main__":
    main()
