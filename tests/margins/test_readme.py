"""The README of the library: its examples answer as they say, its table names every module."""

import doctest
import re
from pathlib import Path

import margins

README = Path(margins.__path__[0]) / "README.md"
INSIDE = {"least_distance", "validation"}  # not for readers


def test_examples_answer_as_they_say():
    said = []
    case = doctest.DocTestParser().get_doctest(README.read_text("utf8"), {}, "README", str(README), 0)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(case, out=said.append)
    assert not said, "".join(said)
    assert results.attempted > 20


def test_the_table_names_every_module():
    named = re.findall(r"^\| `margins\.(\w+)` \|", README.read_text("utf8"), re.MULTILINE)
    assert sorted(named) == sorted({name for name in dir(margins) if name[0] != "_"} - INSIDE)
