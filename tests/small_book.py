"""The project with one short page in place of its chapters: quick to build, and to spoil."""

import filecmp
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.build import COLOUR, problems
from tests.sphinx_build import jupyter_book

ROOT = Path(__file__).parents[1]
NOTEBOOK = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
# A page

A first paragraph that is long enough to describe the page.

"""
EXPLORABLE = """```{{code-cell}} python
from explorable import Drawing, choice, explore, slider

@explore(caption="A figure.", {controls})
def moving(C):
    {body}
    drawing = Drawing()
    drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))
    return drawing, "A sentence."
```
"""


@pytest.fixture(scope="module")
def small_book(tmp_path_factory):
    """The project with one short page in place of its chapters."""
    folder = tmp_path_factory.mktemp("small")
    for name in ("scripts", "book"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("node_modules", "*.md"))
    shutil.copy(ROOT / "_config.yml", folder)
    (folder / "book/frontend/node_modules").symlink_to(ROOT / "book/frontend/node_modules")
    (folder / "_toc.yml").write_text("format: jb-book\nroot: page\n")
    return folder


def make_book(folder, text):
    """What `make book` says."""
    (folder / "page.md").write_text(text)
    return subprocess.run([sys.executable, "scripts/build.py"], cwd=folder, capture_output=True, text=True)


def build(folder, text):
    """The same, sooner: in a fork of a process that has loaded Jupyter Book."""
    (folder / "page.md").write_text(text)
    said = folder / "said.log"
    code = jupyter_book(folder, said)
    log = COLOUR.sub("", said.read_text("utf8"))
    return SimpleNamespace(returncode=code, stdout=log, stderr="\n".join(problems(log)))


def differences(first, second):
    """The names of the files that one of two folders lacks, or that have other bytes there."""
    ours, theirs = (
        {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        for folder in (first, second)
    )
    _, unequal, unread = filecmp.cmpfiles(first, second, sorted(ours & theirs), shallow=False)
    return sorted({*(ours ^ theirs), *unequal, *unread})
