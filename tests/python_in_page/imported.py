"""The files of `lib` that code imports, directly or through others, also those that functions import."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "lib"
DATA = (".csv", ".txt", ".json", ".npz")  # what modules read beside their code


def imported_files(sources: Iterable[str]) -> list[Path]:
    """The modules and the data files of their folders; those in the folder of a chapter are its records."""
    found: set[Path] = set()
    waiting = [name for source in sources for name in _names(source)]
    while waiting:
        for file in _files(waiting.pop()):
            if file not in found:
                found.add(file)
                waiting += _names_in(file)
    folders = {file.parent for file in found if file.parent.parent != LIBRARY}
    read = (folder for folder in folders if not (folder / "claims.yml").exists())
    return sorted(found.union(path for folder in read for path in folder.rglob("*") if path.suffix in DATA))


@cache
def _names_in(file):
    return tuple(_names(file.read_text("utf8")))


def _names(source: str) -> Iterator[str]:
    """The modules, and what may be modules, that a source names in its imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports are not followed"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _files(name: str) -> tuple[Path, ...]:
    """The files that are executed when a module of this name, or what holds a name of it, is imported."""
    parts, found = name.split("."), []
    for length in range(1, len(parts) + 1):
        path = LIBRARY.joinpath(*parts[:length])
        found += [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]
    return tuple(found)
