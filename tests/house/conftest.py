"""The project with one short page in place of its chapters: quick to build, and to spoil."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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


def build(folder, text):
    (folder / "page.md").write_text(text)
    return subprocess.run([sys.executable, "scripts/build.py"], cwd=folder, capture_output=True, text=True)
