"""The parts of a chapter that the command writes: a figure, an exercise, a claim; and a kernel.

Each recipe puts its files and insertions into `Edits` and returns what to do next.
(book: How to read and run this book, Reading)
"""

import re

import yaml

from margins_book.chapters import Chapter
from margins_book.new import module, page
from margins_book.new.edits import Edits, Refusal, filled
from margins_book.new.names import require_function_name, require_label

CHECKS_IMPORT = (
    ("collections.abc", "Callable"),
    ("typing", "Any"),
    ("margins_book.checking.verdicts", "call", "praise", "same_array"),
)
BIN = ".venv/bin"
KERNELS = "lib/margins/kernels"
TABLE_OF_KERNELS = "tests/margins/kernels/test_families.py"


def figure(edits: Edits, chapter: Chapter, name: str, section: str | None = None) -> list[str]:
    """A moving figure: the module that draws it, its test, its cell in the page."""
    require_function_name(name)
    text = edits.read(chapter.page)
    page.require_new(text, name)
    values = figure_values(chapter, name, f"{name}_figure")
    edits.create(chapter.folder / f"{name}_figure.py", filled("figure.py.txt", **values))
    edits.create(chapter.folder / "tests" / f"test_{name}_figure.py", filled("test_figure.py.txt", **values))
    cell = filled("figure.md", imports=filled("figure_imports.txt", **values), **values)
    whole = page.at_end_of(text, section, cell) if section else page.before(text, "Quiz", cell)
    edits.change(chapter.page, whole)
    tests = f"lib/margins_book/{chapter.topic}/tests/test_{name}_figure.py"
    return [f"{BIN}/pytest {tests}", run_of(chapter)]


def figure_values(chapter: Chapter, name: str, file: str) -> dict[str, str]:
    """What the templates of a figure ask for; `file` is the module that draws it."""
    source = f"margins_book.{chapter.topic}.{file}"
    return {"name": name, "import_drawing": module.import_line(source, [f"{name}_drawing"])}


def run_of(chapter: Chapter) -> str:
    """The command that runs the cells of a page, figures at every position."""
    files = f"_build/{chapter.number:02}.ipynb chapters/{chapter.page.name}"
    return f"mkdir -p _build && EXPLORABLE_BAKE=1 {BIN}/jupytext --execute --to ipynb --output {files}"


def exercise(edits: Edits, chapter: Chapter, label: str) -> list[str]:
    """A coded exercise: its cells in the page, its check, its known wrong answers and sample."""
    require_label(label)
    text = edits.read(chapter.page)
    require_prefix(text, label)
    check, function = label.replace("-", "_"), label.partition("-")[2].replace("-", "_")
    require_function_name(function)
    page.require_new(text, function)
    values = {"label": label, "check": check, "function": function}
    write_check(edits, chapter, check, filled("check.py.txt", **values))
    for file in ("wrong.py", "sample.py"):
        edits.create(chapter.exercises / label / file, filled(f"{file}.txt", **values))
    edits.change(chapter.page, page.before(text, "Summary", filled("exercise.md", **values)))
    return [
        f"{BIN}/pytest tests/margins_course/assignments/test_checks_of_the_book.py -k {label}",
        f"{BIN}/margins-course release {chapter.number} --course _build/course",
    ]


def write_check(edits: Edits, chapter: Chapter, name: str, check: str) -> None:
    """The function `check` at the end of the chapter's module of checks."""
    path = chapter.folder / "checks.py"
    source = edits.read(path)
    if name in module.defined(source):
        raise Refusal(f"{chapter.topic}/checks.py has a function {name} already; choose another label")
    for package, *names in CHECKS_IMPORT:
        source = module.with_import(source, package, *names)
    edits.change(path, module.at_end(source, check))


def require_prefix(text: str, label: str) -> None:
    """A refusal unless the label is new and begins as those of the page's exercises do."""
    found = re.findall(r"\{exercise-start\}.*\n:label: +(\S+)", text)
    prefixes = sorted({other.partition("-")[0] for other in found})
    if "checks" not in page.names(text):
        raise Refusal(
            "the page does not import its checks; expected `from margins_book.<topic> import checks`"
        )
    if label in page.labels(text):
        raise Refusal(f"the page has the label {label!r} already; choose another")
    if prefixes and label.partition("-")[0] not in prefixes:
        expected = f"{prefixes[0]}-{label.partition('-')[2]}"
        raise Refusal(f"the label {label!r} came; expected this chapter's prefix: {expected!r}, for example")


def claim(edits: Edits, chapter: Chapter, name: str, section: str | None = None) -> list[str]:
    """A claim with the chapter's next number: its entry in the ledger, and its test."""
    require_function_name(name)
    text = edits.read(chapter.page)
    if section and section not in page.labels(text):
        known = ", ".join(sorted(page.labels(text)))
        raise Refusal(f"the page has no label {section!r}; expected one of: {known}")
    claims = edits.read(chapter.claims)
    taken = [int(entry["id"].partition(".")[2]) for entry in yaml.safe_load(claims)["claims"] or ()]
    number = f"{chapter.number}.{max(taken, default=0) + 1:02}"
    test = f"test_c{number.replace('.', '_')}_{name}"
    values = {"number": number, "test": test, "section": section or page.first_statement(text)}
    edits.change(chapter.claims, claims.rstrip() + "\n\n" + filled("claim.yml", **values))
    tests = chapter.folder / "tests" / "test_claims.py"
    source = edits.read(tests)
    require_import_of_numpy(source, tests.name)
    edits.change(tests, module.at_end(source, filled("test_claim.py.txt", **values)))
    own = f"lib/margins_book/{chapter.topic}/tests/test_claims.py"
    return [f"{BIN}/pytest tests/margins_book/test_ledger.py {own}"]


def require_import_of_numpy(source: str, file: str) -> None:
    """A refusal unless the module imports numpy by the name np."""
    if "import numpy as np\n" not in source:
        raise Refusal(f"{file} has no line `import numpy as np`, which the new test needs; add it")


def kernel(edits: Edits, name: str) -> list[str]:
    """A kernel of the library: the function, its export, its row in the table of the tests."""
    require_function_name(name)
    package, families = (edits.root / KERNELS / file for file in ("__init__.py", "families.py"))
    table = edits.root / TABLE_OF_KERNELS
    exports, source = edits.read(package), edits.read(families)
    if f'"{name}"' in exports or name in module.defined(source):
        raise Refusal(f"margins.kernels has {name!r} already; choose another name")
    edits.change(families, module.before_private(source, filled("kernel.py.txt", name=name)))
    exports = module.with_import(exports, "margins.kernels.families", name)
    edits.change(package, module.with_public_name(exports, name))
    row = filled("kernel_row.txt", name=name).strip().removesuffix(",")
    edits.change(table, module.with_entry(edits.read(table), "PAIRS", row))
    return [f"{BIN}/pytest {TABLE_OF_KERNELS}", f"{BIN}/pytest tests/margins/test_examples.py -k kernels"]
