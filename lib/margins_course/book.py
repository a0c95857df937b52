"""The book around the exercises: where its chapters lie, where it is published, how its library is installed.

(book: Teaching with this book, One source)
"""

import json
from functools import cache
from pathlib import Path

import yaml

BOOK = Path(__file__).resolve().parents[2]


def page_of(path):
    """The address of a chapter's published page."""
    return f"{_settings()['html']['baseurl'].rstrip('/')}/chapters/{path.stem}.html"


def requirement():
    """The library as a line of a requirements file."""
    return f"margins @ git+{_settings()['repository']['url']}"


def formula_macros():
    """The book's own commands in formulas, as JSON."""
    return json.dumps(_settings()["sphinx"]["config"]["mathml_macros"], sort_keys=True)


@cache
def _settings():
    return yaml.safe_load((BOOK / "_config.yml").read_text(encoding="utf-8"))
