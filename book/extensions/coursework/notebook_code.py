"""The code of published notebooks: one cell of set-up, closed; figures with their numbers in the book."""

import nbformat

from extensions.pages.figure_code import imports_apart
from margins_book.page.chapter import Cell
from margins_book.page.excursions import labels_of_figures
from margins_book.page.selection import needed_cells
from margins_book.page.words import figure_named

TITLE = "#@title Set-up: run this first"
CLOSED = {"cellView": "form", "jupyter": {"source_hidden": True}}
WIDEST = 88  # characters of a line with a figure's number behind it


def set_up_cell(app, code):
    """The first code cell of a notebook: it installs the library where it is missing, then runs `code`."""
    options = app.config.html_theme_options
    source = f"git+{options['repository_url']}@{options.get('repository_branch') or 'main'}"
    lines = [
        TITLE,
        "import importlib.util",
        "",
        'if importlib.util.find_spec("margins") is None:',
        f'    %pip install --quiet "margins-of-attention @ {source}"',
    ]
    source = "\n".join(lines) + (f"\n\n{code}" if code else "")
    return nbformat.v4.new_code_cell(source, metadata=CLOSED)


def set_up_of(code, cells):
    """What `cells` rest on, of a page's `code` cells in their order, as one piece of code."""
    own = {id(cell) for cell in cells}
    sequence = [
        Cell("solution" if id(cell) in own else "setup", cell.source)
        for cell in code
        if id(cell) in own or "exercise" not in cell.metadata
    ]
    kept = [cell.source.strip("\n") for cell in needed_cells(sequence) if cell.kind == "setup"]
    imports, rest = imports_apart("\n\n".join(kept))
    imports = "\n".join(dict.fromkeys(imports.split("\n")))
    return "\n\n".join(filter(None, [imports, rest]))


def numbered(names, source):
    """A cell that shows a figure, with its number in the book as a comment."""
    found = [names.number(names.page, label) for label in labels_of_figures(source)]
    numbers = [number for number in found if number]
    if not numbers:
        return source.strip("\n")
    comment = f"# Figure {numbers[0]}"
    if "\n" in source.strip() or len(source) > WIDEST:
        return f"{comment}\n{source.strip()}"
    return f"{source.strip()}  {comment}"


def where_its_code_is(source):
    """How to read the code of a figure that a cell shows by its name; "" for other cells."""
    name = figure_named(source)
    return name and f"`figures.{name}??` in a cell shows the code of this figure, and so for all others."
