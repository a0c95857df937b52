"""The public names of the library as its source has them: signature, words, example, place in the book.

The source is parsed, not imported, so that a page costs milliseconds.
"""

import ast
import copy
import doctest
import functools
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = ROOT / "lib"
OURS = ("margins", "explorable", "margins_book")  # packages with pages
PLACE = re.compile(r"\s*\(book:\s+((?:[^()]|\([^()]*\))+)\)")
FIELD = re.compile(r"(\w+): ([^#]*?)\s*(?:#\s*(.*))?$")


@dataclass(frozen=True)
class Public:
    """A public function, class or constant of a module."""

    module: str  # that one imports it from
    name: str
    file: Path  # that defines it
    node: ast.stmt
    source: str  # of the whole file

    @property
    def doc(self):
        """Its docstring, empty for a constant."""
        return "" if self.is_constant else ast.get_docstring(self.node) or ""

    @property
    def is_constant(self):
        return not isinstance(self.node, ast.FunctionDef | ast.ClassDef)

    @property
    def words(self):
        """The docstring without example and place."""
        return PLACE.sub("", re.split(r"^>>> ", self.doc, maxsplit=1, flags=re.MULTILINE)[0]).strip()

    @property
    def is_short(self):
        """Whether it is a constant of one line."""
        return self.is_constant and self.node.lineno == self.node.end_lineno

    @property
    def remark(self):
        """What stands behind a constant on its line, or nothing."""
        line = self.source.splitlines()[self.node.end_lineno - 1].encode()
        return line[self.node.end_col_offset :].decode().strip(" #")

    @property
    def places(self):
        """Where the book speaks of it: `Kernels, Closure rules`, several behind semicolons; or nothing."""
        found = PLACE.search(self.doc)
        return " ".join(found[1].split()) if found else ""

    @property
    def examples(self):
        """The examples of the docstring, as pairs of code and answer."""
        return [(one.source, one.want) for one in doctest.DocTestParser().get_examples(self.doc)]

    @property
    def signature(self):
        """How it is called; of a constant, its definition."""
        if self.is_constant:
            return ast.get_source_segment(self.source, self.node)
        if isinstance(self.node, ast.FunctionDef):
            return f"{self.name}({arguments(self.node)})"
        return f"{self.name}({', '.join(self._of_init())})"

    def _of_init(self):
        """What makes an object of a class: the arguments of its `__init__`, or its fields."""
        for node in self.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                return [arguments(node).removeprefix("self").removeprefix(", ")]
        return [name for name, _ in self.fields]

    @property
    def fields(self):
        """The fields of a data class, as pairs of a name and the words behind it."""
        lines = self.source.splitlines()
        body = self.node.body if isinstance(self.node, ast.ClassDef) else ()
        nodes = [node for node in body if isinstance(node, ast.AnnAssign)]
        found = [FIELD.match(lines[node.lineno - 1].strip()) for node in nodes]
        return [(match[1], match[3] or match[2]) for match in found]

    @property
    def methods(self):
        """The public methods and properties of a class, as pairs of how they are called and a sentence."""
        nodes = [node for node in getattr(self.node, "body", ()) if isinstance(node, ast.FunctionDef)]
        shown = [node for node in nodes if node.name == "__call__" or not node.name.startswith("_")]
        docs = {node: PLACE.sub("", ast.get_docstring(node) or "").split() for node in shown}
        return [(called(node), " ".join(words)) for node, words in docs.items() if words]


def called(node):
    """How a method or a property is used."""
    if any(ast.unparse(mark).endswith("property") for mark in node.decorator_list):
        return node.name
    given = arguments(node).removeprefix("self").removeprefix(", ")
    return f"({given})" if node.name == "__call__" else f"{node.name}({given})"


def arguments(node):
    """The arguments of a function without their types: the words below say the shapes, which tell more."""
    bare = copy.deepcopy(node.args)
    for one in ast.walk(bare):
        if isinstance(one, ast.arg):
            one.annotation = None
    return ast.unparse(bare)


def file_of(module):
    """The file of a module, or of a package's `__init__`."""
    path = LIBRARY.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def parsed(file):
    """The syntax tree of a file and its text."""
    text = file.read_text(encoding="utf-8")
    return tree_of(text), text


@functools.cache
def tree_of(text):
    """The syntax tree of a text, parsed once: every name of a page asks for those of its package."""
    return ast.parse(text)


def introduction(module):
    """The docstring of a module, without its place."""
    return PLACE.sub("", ast.get_docstring(parsed(file_of(module))[0])).strip()


def public(module):
    """The public names of a module in the order of their files, and in each as they are written."""
    tree, _ = parsed(file_of(module))
    listed = names_listed(tree) or {name for name in top(tree) if not name.startswith("_")}
    found = defined(module, file_of(module), listed)
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]  # when first asked, too
    for name in dict.fromkeys(node.module for node in inside if node.module.split(".")[0] in OURS):
        imported = {alias.name for node in inside if node.module == name for alias in node.names}
        found += defined(module, file_of(name), imported & listed)
    return found


def defined(module, file, names):
    """Those of the names that a file defines itself."""
    tree, source = parsed(file)
    return [Public(module, name, file, node, source) for name, node in top(tree).items() if name in names]


def names_listed(tree):
    """What `__all__` lists, or what is imported as itself: `from here import name as name`."""
    if "__all__" in top(tree):
        return set(ast.literal_eval(top(tree)["__all__"].value))
    aliases = [alias for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {alias.name for alias in aliases if alias.asname == alias.name}


def top(tree):
    """What a file defines at its top, by name."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


def imports(one):
    """The lines that an example needs first, its own name among them."""
    nodes = (node for code, _ in one.examples for node in ast.walk(ast.parse(code)))
    used = {one.name, *(node.id for node in nodes if isinstance(node, ast.Name))}
    package = ".".join(one.module.split(".")[:2])
    lines = ["import numpy as np"] if "np" in used else []
    for module in dict.fromkeys((package, one.module)):
        named = sorted(
            used & {other.name for other in public(module)}, key=lambda name: (name.islower(), name)
        )
        lines += [f"from {module} import {', '.join(named)}"] if named else []
        used -= set(named)
    return "\n".join(lines)


def found_in(part, chapters):
    """A chapter that is named at the beginning, by its title or the first words of it, and what follows."""
    for title in chapters:
        if part == title or part.startswith(f"{title}, "):
            yield title, part.removeprefix(title).removeprefix(", ")
    first, _, rest = part.partition(", ")
    yield from ((title, rest) for title in chapters if title.startswith(f"{first} "))


def places(text, chapters):
    """The pairs of chapter and section (None: the whole) that `Kernels, Gram matrices; Spectra` names."""
    found, chapter = [], None
    for part in text.split("; "):
        chapter, section = next(found_in(part, chapters), (chapter, part))
        if chapter is None or (section and section not in chapters[chapter]):
            raise ValueError(f"the book has no place {part!r}: expected a chapter, a comma, a section of it")
        found.append((chapter, section or None))
    return found
