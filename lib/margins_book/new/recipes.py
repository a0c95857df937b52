"""The parts of a chapter that the command writes: a figure, an exercise, a claim; and a kernel.

Each recipe puts its files and insertions into `Edits` and returns what to do next.
"""

import re
from pathlib import Path

import yaml

from margins_book.chapters import Chapter, chapters
from margins_book.new import module, page
from margins_book.new.edits import Edits, Refusal, filled
from margins_book.new.names import require_function_name, require_label
from margins_book.page.selection import bound_names

FIGURE_FILES = {
    "figures.py": "figure.py.txt",
    "drawings.py": "drawing.py.txt",
    "tests/test_drawings.py": "test_drawing.py.txt",
}
BIN = ".venv/bin"
KERNELS = "lib/margins/kernels"
TABLE_OF_KERNELS = "tests/margins/kernels/test_families.py"


def figure(edits: Edits, chapter: Chapter, name: str, section: str | None = None) -> list[str]:
    """A moving figure: in the chapter's figures, its drawing, a test of it, its line in the page."""
    require_function_name(name)
    text = edits.read(chapter.page)
    page.require_new(text, name)
    require_new_figure(edits, chapter, name)
    write_figure(edits, chapter, name, page.title(text))
    text, cell = page.with_figures(text, chapter.topic), filled("figure.md", name=name)
    whole = page.at_end_of(text, section, cell) if section else page.before(text, "Quiz", cell)
    edits.change(chapter.page, whole)
    tests = f"lib/margins_book/{chapter.topic}/tests/test_drawings.py"
    return [f"make check CHAPTER={chapter.number:02} FIGURE={name}", f"{BIN}/pytest {tests} -k {name}"]


def require_new_figure(edits: Edits, chapter: Chapter, name: str) -> None:
    """A refusal if a page shows a figure of that name, or the chapter's modules have what it would define."""
    for other in chapters():
        if re.search(rf"^figures\.{name}\b", edits.read(other.page), re.MULTILINE):
            raise Refusal(f"{other.page.name} shows a figure {name!r} already; choose another name")
    for file, new in (("figures.py", {name, f"{name}_x"}), ("drawings.py", {f"{name}_drawing"})):
        path = chapter.folder / file
        if edits.has(path) and (found := new & bound_names(edits.read(path))):
            clash = f"{chapter.topic}/{file} defines or imports {min(found)!r} already"
            raise Refusal(f"{clash}; choose another name")


def write_figure(edits: Edits, chapter: Chapter, name: str, title: str) -> None:
    """The figure, its drawing and a test of the drawing, each behind what its module holds already."""
    for file, template in FIGURE_FILES.items():
        path, package = chapter.folder / file, f"margins_book.{chapter.topic}"
        present = edits.read(path) if edits.has(path) else ""
        drawings = module.name_of_import(present, package, "drawings")
        renamed = "" if drawings == "drawings" else f" as {drawings}"
        values = {"drawings": drawings, "import_drawings": f"from {package} import drawings{renamed}"}
        write_part(edits, path, filled(template, name=name, title=title, **values))


def write_part(edits: Edits, path: Path, part: str) -> None:
    """The module `part`, or what it defines at the end of the module that is there."""
    if edits.has(path):
        edits.change(path, module.joined(edits.read(path), part))
    else:
        edits.create(path, part)


def exercise(edits: Edits, chapter: Chapter, label: str) -> list[str]:
    """A coded exercise: its cells in the page, its check, the hidden one, known wrong answers, a sample."""
    require_label(label)
    text = edits.read(chapter.page)
    require_prefix(text, label)
    check, function = label.replace("-", "_"), label.partition("-")[2].replace("-", "_")
    require_function_name(function)
    page.require_new(text, function)
    values = {"label": label, "check": check, "function": function, "title": page.title(text)}
    write_check(edits, chapter, check, filled("check.py.txt", **values))
    for file in ("wrong.py", "sample.py", "hidden.py"):
        edits.create(chapter.exercises / label / file, filled(f"{file}.txt", **values))
    edits.change(chapter.page, page.before(text, "Summary", filled("exercise.md", **values)))
    return [
        f"make check CHAPTER={chapter.number:02}",
        f"{BIN}/pytest tests/margins_course/assignments/test_checks_of_the_book.py -k {label}",
        f"{BIN}/margins-course release {chapter.number} --course _build/course",
    ]


def write_check(edits: Edits, chapter: Chapter, name: str, check: str) -> None:
    """The function `check` at the end of the chapter's module of checks."""
    path = chapter.folder / "checks.py"
    if edits.has(path) and name in bound_names(edits.read(path)):
        raise Refusal(f"{chapter.topic}/checks.py has a function {name} already; choose another label")
    write_part(edits, path, check)


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
    if "import numpy as np\n" not in source:
        raise Refusal(f"{tests.name} has no line `import numpy as np`, which the new test needs; add it")
    edits.change(tests, module.at_end(source, filled("test_claim.py.txt", **values)))
    own = f"lib/margins_book/{chapter.topic}/tests/test_claims.py"
    return [f"{BIN}/pytest tests/margins_book/test_ledger.py {own}"]


def kernel(edits: Edits, name: str) -> list[str]:
    """A kernel of the library: the function, its export, its row in the table of the tests."""
    require_function_name(name)
    package, families = (edits.root / KERNELS / file for file in ("__init__.py", "families.py"))
    table = edits.root / TABLE_OF_KERNELS
    exports, source = edits.read(package), edits.read(families)
    if f" as {name}\n" in exports or name in bound_names(source):
        raise Refusal(f"margins.kernels has {name!r} already; choose another name")
    edits.change(families, module.before_private(source, filled("kernel.py.txt", name=name)))
    export = f"from margins.kernels.families import {name} as {name}"
    edits.change(package, module.with_imports(exports, export))
    row = filled("kernel_row.txt", name=name).strip().removesuffix(",")
    edits.change(table, module.with_entry(edits.read(table), "PAIRS", row))
    return [f"{BIN}/pytest {TABLE_OF_KERNELS}", f"{BIN}/pytest tests/margins/test_examples.py -k kernels"]
