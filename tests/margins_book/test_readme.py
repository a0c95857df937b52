"""The README of margins_book: its first example runs, its commands are accepted, its files exist."""

import re

from margins_book.chapters import ROOT
from margins_book.experiments.__main__ import parser

README = (ROOT / "lib" / "margins_book" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_first_example_lists_the_chapters(capsys):
    exec(BLOCKS[0], {})
    assert capsys.readouterr().out.startswith("1 svm_duality ")


def test_the_commands_are_accepted():
    commands = re.findall(r"^python -m margins_book\.experiments(.*?)(?:#.*)?$", README, re.MULTILINE)
    assert len(commands) > 3
    for arguments in commands:
        parser().parse_args(arguments.split())


def test_every_named_file_exists():
    """Files of the package by their path in it, others by their path in the repository."""
    package = ROOT / "lib" / "margins_book"
    for name in re.findall(r"`([\w/]+\.py)`", README):
        places = [ROOT / name, package / name, ROOT / "lib" / name, package / "svm_duality" / name]
        assert any(place.exists() for place in [*places, package / "svm_duality" / "tests" / name]), name
