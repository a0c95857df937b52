"""The code of figures that cells show by their name in the chapter's module, `figures.lift`.

It is folded, as the code of every figure; what of the module the figure rests on stands above its function.
"""

import ast
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

import margins_book
from extensions.pages.tree import is_cell
from margins_book.page.selection import changed_names, imported_names, statements, used_names
from margins_book.page.words import figure_named, figures_module

BOOK = Path(margins_book.__file__).parent
IMPORT = re.compile(r"^from margins_book\.(\w+) import (?:\w+, )*figures\b", re.MULTILINE)


def code_of_figure(page, source):
    """The code of the figure that a cell of `page` shows, without imports; None for other cells."""
    name, module = figure_named(source), module_of(str(page))
    if not name or not module:
        return None
    code = parts_of(module, name)
    is_call = isinstance(ast.parse(source).body[0].value, ast.Call)
    return f"{code}\n\n{source.strip().removeprefix('figures.')}" if is_call else code


@cache
def module_of(page):
    """The source of the module of figures that a page imports, "" if it imports none."""
    found = IMPORT.search(Path(page).read_text("utf8")) if page else None
    return figures_module(BOOK / found[1]) if found else ""


@cache
def parts_of(module, name):
    """The statements of a module that one of its figures rests on, wherever they stand, and its function."""
    modules, wanted, kept = imported_names(module), {name}, []
    _, body = imports_apart(module)
    while True:
        needed = [one for one in statements(body) if wanted & changed_names(one, modules)]
        if needed == kept:
            return "\n".join(kept).strip("\n")
        kept = needed
        wanted |= set().union(*map(used_names, kept))


def imports_apart(source):
    """The imports of a cell or a module, and the rest of it."""
    tree, lines = ast.parse(source), source.split("\n")
    imports = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports += lines[node.lineno - 1 : node.end_lineno]
            lines[node.lineno - 1 : node.end_lineno] = [None] * (node.end_lineno - node.lineno + 1)
    return "\n".join(imports), "\n".join(line for line in lines if line is not None).strip("\n")


class ShowCode(SphinxTransform):
    """Puts the code of figures into their cells, folded."""

    default_priority = 15

    def apply(self, **kwargs):
        page = self.env.doc2path(self.env.docname)
        for cell in self.document.findall(is_cell):
            block = next(cell.findall(nodes.literal_block), None)
            if block is None or not (code := code_of_figure(page, block.astext())):
                continue
            block.rawsource = code
            block.clear()
            block += nodes.Text(code)
            cell["hide_mode"] = "input"
            cell["prompt_show"] = self.config.nb_code_prompt_show
            cell["prompt_hide"] = self.config.nb_code_prompt_hide
            cell["classes"].append("tag_hide-input")


def setup(app):
    app.add_transform(ShowCode)
