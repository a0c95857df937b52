"""Publishes the built site as the only commit of the branch `gh-pages`, from which the forge serves it."""

import os
import sys
import tempfile
from pathlib import Path

from scripts.publication.commands import GitError, git

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
BRANCH = "gh-pages"


def identity(source):
    """Who commits the site and when: nobody in particular, at the time of the source's commit."""
    date = git(source, "log", "-1", "--format=%cI")
    who = {"NAME": "The publishing workflow", "EMAIL": "publish@localhost", "DATE": date}
    return {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}


def publish(site, source, address):
    """Pushes the site, made from the commit that `source` has checked out, to a repository."""
    if not (site / "index.html").is_file():
        raise SystemExit(f"Nothing was published: {site} holds no site; run `make book` first")
    (site / ".nojekyll").touch()  # folders whose names begin with _ are served
    name = git(source, "log", "-1", "--format=%h")
    with tempfile.TemporaryDirectory() as folder:
        variables = {"GIT_DIR": folder, "GIT_WORK_TREE": str(site)}
        git(site, "init", "--quiet", f"--initial-branch={BRANCH}", **variables)
        git(site, "add", "--all", "--force", **variables)
        git(site, "commit", "--quiet", f"--message=The site of {name}", **identity(source), **variables)
        git(site, "push", "--quiet", "--force", address, BRANCH, **variables)


def on_the_forge(publish, made):
    """Publishes what the build made in the repository whose workflow runs this."""
    host, token = os.environ["GITHUB_SERVER_URL"], os.environ["GH_TOKEN"]
    with_token = host.replace("://", f"://x-access-token:{token}@")
    try:
        publish(made, ROOT, f"{with_token}/{os.environ['GITHUB_REPOSITORY']}")
    except GitError as problem:
        sys.exit(f"Nothing was published: {problem}")


if __name__ == "__main__":
    on_the_forge(publish, SITE)
