"""The files that a page's code imports, directly and through other modules, found without running it.

Imports inside functions count. Code that imports by a computed name counts as importing every package.
"""

import ast
import importlib.util
import re
from functools import cache
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from margins_book.page import ChapterProblem
from margins_book.page.chapter import exercise_table, read_chapter

PACKAGES, READER = ("margins", "explorable", "margins_book"), "margins_book.page.chapter"
EVERYTHING = tuple(f"{package}.*" for package in PACKAGES)
MODULE_NAME = re.compile(rf"({'|'.join(PACKAGES)})(\.\w+)*")
OPAQUE = {
    "import_module",
    "__import__",
    "exec",
    "eval",
    "run_module",
    "run_path",
    "run_cell_magic",
    "run_line_magic",
}
PUBLISHED = {".js", ".css", ".pyc"}  # what the site takes from the library by itself
# beside a package's modules, which do not read them
NO_DATA = {"README.md", "claims.yml", "py.typed", "pyproject.toml"}


@cache
def library():
    """The folder of the installed packages, found without importing them."""
    return Path(importlib.util.find_spec(PACKAGES[0]).origin).parents[1]


def imports_of_cells(sources):
    """The names that a page's cells import; IPython's own syntax is read as IPython reads it."""
    transform = TransformerManager().transform_cell
    return sorted({name for source in sources for name in imports(transform(source))})


@cache
def imports(source, package=""):
    """All dotted names that Python code inside `package` may import, the packages around them included."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return {*PACKAGES, *EVERYTHING}
    names = {name for node in ast.walk(tree) for name in imports_of_node(node, package)}
    return {
        ".".join(parts[: end + 1]) for parts in (n.split(".") for n in names) for end in range(len(parts))
    }


def imports_of_node(node, package):
    """The names that one node of the syntax tree brings in; in `from a import b`, b may be a module."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            origin = ".".join([*package.split(".")[: len(package.split(".")) - level + 1], module or ""])
            origin = origin.strip(".") if level else module
            return [origin, *(f"{origin}.{alias.name}" for alias in names)]
        case ast.Attribute(value=ast.Name(id=library), attr=name) if library in PACKAGES:
            return [f"{library}.{name}"]  # after `import margins`, margins.svm is a module
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in OPAQUE:
            return list(EVERYTHING)
        case ast.Constant(value=str(text)) if MODULE_NAME.fullmatch(text):
            return [text]
    return []


def imported_files(names, folder):
    """The files that code in `folder` with these imports may load from the library and beside itself."""
    found, waiting = {}, list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = file = module_file(name, folder)
        if name.endswith(".*"):
            waiting += modules_in(name.removesuffix(".*"))
        elif file:
            package = name if file.name == "__init__.py" else name.rpartition(".")[0]
            waiting += imports(file.read_text("utf8"), package)
    return sorted({file for module in found.values() if module for file in with_data(module)})


def texts_of_chapters(names, book):
    """The code of all chapters, if the reader of chapters is imported."""
    if READER not in names:
        return []
    return [
        code_of_chapter(file, file.read_text("utf8")) for file in sorted(Path(book).glob("chapters/*.md"))
    ]


@cache
def code_of_chapter(file, text):
    """A chapter's exercises and code; the whole `text` if it cannot be read."""
    try:
        chapter = read_chapter(file)
    except ChapterProblem:
        return text
    code = [repr(cell) for cell in chapter.cells if cell.kind != "text"]
    return "\n".join([exercise_table(chapter), *code])


def module_file(name, folder):
    """The source of a module of the library, or of one beside the page; nothing for all others."""
    root = library() if name.split(".")[0] in PACKAGES else Path(folder)
    stem = root.joinpath(*name.split("."))
    return next((file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)


def modules_in(package):
    """The names of a package of the library and of all modules in it: what a star may stand for."""
    root = library()
    for file in root.joinpath(*package.split(".")).rglob("*.py"):
        yield ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def with_data(module):
    """A module's source and, for a package, the files in it that its modules may read."""
    if module.name != "__init__.py":
        return [module]
    beside = (file for file in module.parent.iterdir() if file.is_file() and file.suffix != ".py")
    return [module, *(file for file in beside if file.suffix not in PUBLISHED and file.name not in NO_DATA)]
