"""Where the book's chapters, exercises and packages lie, where it is published, how it is installed."""

import json
from functools import cache
from pathlib import Path

import yaml

from margins_book.chapters import NAMED_BY
from margins_book.chapters import ROOT as BOOK
from margins_course import CourseProblem

PACKAGES = ("margins", "explorable", "margins_book", "margins_course")  # what answers and checks may import


def find_chapter(wanted: str, beside: Path = Path()) -> Path:
    """The file of a chapter, by its path (from the folder `beside`), its name, or its number in this book."""
    path = beside / wanted
    if path.suffix == ".md" and path.is_file():
        return path
    chapters = sorted((BOOK / "chapters").glob("[0-9]*.md"))
    number = f"{wanted.zfill(2)}_"
    found = [path for path in chapters if wanted == path.stem or path.stem.startswith(number)]
    if len(found) != 1:
        missing = f"none in {BOOK / 'chapters'} (set {NAMED_BY} to the folder of the book)"
        listed = ", ".join(path.stem for path in chapters) or missing
        raise CourseProblem(f"there is no chapter {wanted!r}; expected an .md file, or one of: {listed}")
    return found[0]


def page_of(path: Path) -> str:
    return f"{_settings()['html']['baseurl'].rstrip('/')}/chapters/{path.stem}.html"


def package_folders() -> list[Path]:
    """The folders of the book's packages, those that are installed."""
    folders = (Path(__file__).resolve().parents[1] / name for name in PACKAGES)
    return [folder for folder in folders if folder.is_dir()]


def requirement() -> str:
    """The library as a line of a requirements file."""
    return f"margins-of-attention @ git+{_settings()['repository']['url']}"


def formula_macros() -> str:
    """The book's own commands in formulas, as JSON."""
    return json.dumps(_settings()["sphinx"]["config"]["mathml_macros"], sort_keys=True)


@cache
def _settings():
    return yaml.safe_load((BOOK / "_config.yml").read_text(encoding="utf-8"))
