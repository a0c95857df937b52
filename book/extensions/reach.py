"""What code may import, directly or not, found without running it: its reach in the library.

Imports inside functions count. Code that cannot be seen through reaches the whole library.
"""

import ast
import hashlib
import importlib.util
import re
from functools import cache, wraps
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from margins_course.assignments.chapter import read_chapter
from margins_course.assignments.overview import table
from margins_course.problems import CourseProblem

PACKAGE, COURSE = "margins", "margins_course"
EVERYTHING = f"{PACKAGE}.*"
MODULE_NAME = re.compile(rf"{PACKAGE}(\.\w+)*")
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
# answers about texts, by their fingerprints: of the build before, and those that this one has asked for
BEFORE, ASKED = {}, {}
PUBLISHED = {".js", ".css", ".pyc"}  # what the site takes from the library by itself


@cache
def library():
    """The folder of the installed library, found without importing it."""
    return Path(importlib.util.find_spec(PACKAGE).origin).parent


def once(function):
    """A function of texts that is not asked again about the same, in later builds either."""

    @wraps(function)
    def answer(*texts):
        key = function.__name__, hashlib.sha256("\0".join(map(str, texts)).encode()).hexdigest()
        if key not in ASKED:
            ASKED[key] = BEFORE[key] if key in BEFORE else function(*texts)
        return ASKED[key]

    return answer


def imports_of_cells(sources):
    """The names that a page's cells import; IPython's own syntax is read as IPython reads it."""
    transform = TransformerManager().transform_cell
    return sorted({name for source in sources for name in imports(transform(source))})


@once
def imports(source, package=""):
    """All dotted names that Python code inside `package` may import, the packages around them included."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return {PACKAGE, EVERYTHING}
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
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in OPAQUE:
            return [EVERYTHING]
        case ast.Constant(value=str(text)) if MODULE_NAME.fullmatch(text):
            return [text]
    return []


def reached(names, folder):
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


def read_by_course(names, book):
    """What the package for teaching brings in, if the names do: its own text, and what it reads."""
    if COURSE not in names:
        return []
    package = Path(importlib.util.find_spec(COURSE).origin).parent
    own = [file.read_text("utf8") for file in sorted(package.rglob("*.py"))]
    return own + [assigned(file, file.read_text("utf8")) for file in sorted(Path(book).glob("chapters/*.md"))]


@once
def assigned(file, text):
    """A chapter as a class is given it, its prose left out; all of `text` if it cannot be assigned."""
    try:
        chapter = read_chapter(file)
    except CourseProblem:
        return text
    code = [repr(cell) for cell in chapter.cells if cell.kind != "text"]
    return "\n".join([table(chapter), *code])


def module_file(name, folder):
    """The source of a module of the library, or of one beside the page; nothing for all others."""
    root = library().parent if name.split(".")[0] == PACKAGE else Path(folder)
    stem = root.joinpath(*name.split("."))
    return next((file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)


def modules_in(package):
    """The names of a package of the library and of all modules in it: what a star may stand for."""
    root = library().parent
    for file in root.joinpath(*package.split(".")).rglob("*.py"):
        yield ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def with_data(module):
    """A module's source and, for a package, the files in it that its modules may read."""
    if module.name != "__init__.py":
        return [module]
    beside = (file for file in module.parent.iterdir() if file.is_file() and file.suffix != ".py")
    return [module, *(file for file in beside if file.suffix not in PUBLISHED)]
