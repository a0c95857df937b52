"""Publishes the notebooks that the build makes as the only commit of the branch `notebooks`.

Binder, Colab and nbgitpuller open that branch. It holds the environment of readers: what the library needs to
run, the library at the commit from which the notebooks were made, and no tool of the build or of the tests.
"""

import shutil
import tempfile
from pathlib import Path

import yaml

from scripts.publication.commands import git
from scripts.publication.pages import identity, on_the_forge

ROOT = Path(__file__).resolve().parents[2]
MADE = ROOT / "_build" / "html" / "notebooks"
BRANCH = "notebooks"
README = """# {title}: notebooks

Made from [{url}]({url}) by a program: what is changed here is lost. [The book]({site}) has the same chapters
with figures that move in the page.
"""


def branch(made, target, commit):
    """Fills a folder with what the branch holds; `commit` is the one whose library Binder installs."""
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


def publish(made, source, address):
    """Pushes the notebooks, made from the commit that `source` has checked out, to a repository."""
    commit = git(source, "rev-parse", "HEAD")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        branch(made, tree, commit)
        git(tree, "init", "--quiet", f"--initial-branch={BRANCH}")
        git(tree, "add", "--all", "--force")
        git(tree, "commit", "--quiet", f"--message=The notebooks of {commit[:7]}", **identity(source))
        git(tree, "push", "--quiet", "--force", address, BRANCH)


if __name__ == "__main__":
    on_the_forge(publish, MADE)
