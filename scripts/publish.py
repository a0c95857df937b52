"""Publishes what the build made: `python -m scripts.publish site` or `notebooks`, in the forge's workflow.

Each becomes the only commit of a branch. The forge serves the site from `gh-pages`; Binder, Colab and
nbgitpuller open `notebooks`, which holds the environment of readers besides: what the library needs to
run, and the library at the commit from which the notebooks were made.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
MADE = SITE / "notebooks"
README = """# {title}: notebooks

Made from [{url}]({url}) by a program: what is changed here is lost. [The book]({site}) has the same chapters
with figures that move in the page.
"""


def git(folder, *arguments, **variables):
    """What a git command prints, run in a folder with more variables in its environment."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=folder, env=os.environ | variables, capture_output=True, text=True)
    if done.returncode:  # the message has git's words, not the arguments, which may hold a token
        raise RuntimeError(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def publish(folder, branch, source, address):
    """Pushes a folder, made from the commit that `source` has checked out, to a repository as a branch."""
    name, date = git(source, "log", "-1", "--format=%h %cI").split()
    who = {"NAME": "The publishing workflow", "EMAIL": "publish@localhost", "DATE": date}
    identity = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    with tempfile.TemporaryDirectory() as repository:
        variables = {"GIT_DIR": repository, "GIT_WORK_TREE": str(folder)}
        git(folder, "init", "--quiet", f"--initial-branch={branch}", **variables)
        git(folder, "add", "--all", "--force", **variables)
        git(folder, "commit", "--quiet", f"--message=Made from {name}", **identity, **variables)
        git(folder, "push", "--quiet", "--force", address, branch, **variables)


def publish_site(source, address, site=SITE):
    """Publishes the site as the branch `gh-pages`."""
    if not (site / "index.html").is_file():
        raise SystemExit(f"Nothing was published: {site} has no index.html; run `make book` first")
    (site / ".nojekyll").touch()  # folders whose names begin with _ are served
    publish(site, "gh-pages", source, address)


def publish_notebooks(source, address, made=MADE):
    """Publishes the notebooks as the branch `notebooks`."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        fill_branch(made, tree, git(source, "rev-parse", "HEAD"))
        publish(tree, "notebooks", source, address)


def fill_branch(made, target, commit):
    """Fills a folder with what the branch has; `commit` is the one whose library Binder installs."""
    if not made.is_dir():
        raise SystemExit(f"Nothing was published: there is no {made}; run `make book` first")
    shutil.copytree(made, target, dirs_exist_ok=True)
    shutil.copytree(ROOT / "book" / "binder", target / ".binder")
    shutil.copytree(ROOT / "book" / "jupyter" / "reader" / "labconfig", target / ".binder" / "labconfig")
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    url, site = config["repository"]["url"], config["html"]["baseurl"]
    with (target / ".binder" / "requirements.txt").open("a", encoding="utf8") as file:
        file.write(f"margins-of-attention @ git+{url}@{commit}\n")
    (target / "README.md").write_text(README.format(title=config["title"], url=url, site=site), "utf8")


def main():
    host, token = os.environ["GITHUB_SERVER_URL"], os.environ["GH_TOKEN"]
    with_token = host.replace("://", f"://x-access-token:{token}@")
    chosen = {"site": publish_site, "notebooks": publish_notebooks}[sys.argv[1]]
    try:
        chosen(ROOT, f"{with_token}/{os.environ['GITHUB_REPOSITORY']}")
    except RuntimeError as problem:
        sys.exit(f"Nothing was published: {problem}")


if __name__ == "__main__":
    main()
