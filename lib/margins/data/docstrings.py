"""Natural text that is installed with this book: the beginnings of docstrings, by library.

The source files are parsed, not imported, so that nothing of theirs runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from zlib import crc32

from margins.validation import count, one_of

LIBRARIES = ("numpy", "scipy", "sklearn", "matplotlib")
LIBRARY_NAMES = {*LIBRARIES, "scikit", "learn", "np", "plt", "mpl"}  # these words would be the answer itself
HOLDERS = ast.stmt, ast.excepthandler, ast.match_case
DOCSTRINGS_PER_FILE = 3  # docstrings at most, for neighbours repeat each other


def docstring_words(library: str, number: int, length: int) -> list[tuple[str, ...]]:
    """The first `length` words of `number` docstrings of a library, in lower case, no two equal.

    A word that a docstring repeats counts where it comes first. Files come in the order of a checksum of
    their paths, at most three docstrings each; the names of the libraries are left out
    (book: Sequences, causality, depth and real data, Words).

    >>> words = docstring_words("numpy", number=3, length=5)
    >>> [len(text) for text in words]
    [5, 5, 5]
    """
    one_of("library", library, LIBRARIES)
    number, length = count("number", number), count("length", length)
    found: dict[tuple[str, ...], None] = {}  # a dictionary keeps the order and drops what was met before
    for file in source_files(library):
        words = (tuple(dict.fromkeys(words_of(doc)))[:length] for doc in docstrings_in(file))
        new = (w for w in words if len(w) == length and w not in found)
        found |= dict.fromkeys(islice(new, DOCSTRINGS_PER_FILE))
        if len(found) >= number:
            return list(found)[:number]
    raise ValueError(
        f"number must be at most {len(found)} for {library} at length {length}, but it is {number}"
    )


@cache
def source_files(library: str) -> list[Path]:
    """The library's source files without its tests, in the order of the checksum of their paths."""
    found = find_spec(library)
    if found is None or found.origin is None:
        raise ValueError(f"{library} is not installed here: pip install 'margins[book]'")
    root = Path(found.origin).parent
    files = [f for f in root.rglob("*.py") if "tests" not in f.relative_to(root).parts]
    return sorted(files, key=lambda f: crc32(f.relative_to(root).as_posix().encode()))


@cache
def docstrings_in(file: Path) -> tuple[str, ...]:
    """The docstrings of public functions and classes of a source file, the outer ones first.

    Definitions stand in statements, so that expressions, most of a tree, need no visit.
    """
    found: list[ast.FunctionDef | ast.ClassDef] = []
    level: list[ast.AST] = [ast.parse(file.read_bytes())]
    while level:  # in the order of `ast.walk`
        level = [child for node in level for child in _statements_in(node)]
        found += [node for node in level if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    public = (ast.get_docstring(node) for node in found if not node.name.startswith("_"))
    return tuple(filter(None, public))


def _statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """What may hold definitions among the children of a node: statements, branches of `try` and `match`."""
    for name in node._fields:
        value = getattr(node, name)
        if isinstance(value, list) and value and isinstance(value[0], HOLDERS):
            yield from value


def words_of(text: str) -> list[str]:
    """Its words of two letters and more in lower case, without the names of the libraries."""
    return [word for word in re.findall(r"[a-z]{2,}", text.lower()) if word not in LIBRARY_NAMES]
