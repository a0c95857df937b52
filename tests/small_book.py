"""The project with one short page in place of its chapters: quick to build, and to spoil."""

import filecmp
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

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
CELL = "```{{code-cell}} python\n{}\n```\n\n"
IMPORT = CELL.format("from margins_book.softmax_kernel import figures")
QUIZ = """\
::::{admonition} What is *two* and two?
:class: quiz

Count on your fingers.

1. Three.
2. Four, $2+2$.

:::{admonition} Answers
:class: dropdown

1. No: that is one and two.
2. Right: both hands show it.
:::
::::
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


@dataclass(frozen=True)
class SmallSite:
    """The small book with more pages, built; `pages` are their texts by name, as the contents list them."""

    folder: Path
    pages: dict[str, str]

    def build(self, page=NOTEBOOK):
        """Builds it below the landing page with that text."""
        for name, text in self.pages.items():
            self.write(name, text)
        parts = [part_of(name) for name in self.pages]
        contents = {"format": "jb-book", "root": "page", "defaults": {"titlesonly": False}, "parts": parts}
        (self.folder / "_toc.yml").write_text(json.dumps(contents))
        result = build(self.folder, page)
        assert result.returncode == 0, result.stderr
        return self

    def write(self, name, text):
        file = self.folder / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def read(self, name):
        """A file of the site."""
        return (self.folder / "_build/html" / name).read_text()

    def parsed(self, page):
        return BeautifulSoup(self.read(f"{page}.html"), "html.parser")

    def refusal(self, name, before, after):
        """What ends the build when one of the pages has other words."""
        text = (self.folder / f"{name}.md").read_text()
        assert before in text
        self.write(name, text.replace(before, after))
        result = build(self.folder, (self.folder / "page.md").read_text())
        self.write(name, text)
        assert result.returncode != 0
        return said(result.stderr)


def part_of(name):
    """The part of the contents with a page."""
    captions = {"chapters": "Chapters", "stories": "In an evening"}
    folder = name.partition("/")[0]
    number = {"numbered": 1} if folder == "chapters" else {}
    return {"caption": captions.get(folder, "Around"), "chapters": [{"file": name}], **number}


def said(element):
    """The words of an element, or of a text."""
    return " ".join((element if isinstance(element, str) else element.get_text()).split())


def differences(first, second):
    """The names of the files that one of two folders lacks, or that have other bytes there."""
    ours, theirs = (
        {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        for folder in (first, second)
    )
    _, unequal, unread = filecmp.cmpfiles(first, second, sorted(ours & theirs), shallow=False)
    return sorted({*(ours ^ theirs), *unequal, *unread})
