"""In a notebook figures call their functions at each move: no later cell may change what these use."""

import ast
import symtable

import pytest

from margins_book.chapters import chapters
from margins_book.page.chapter import read_chapter


class Assigned(ast.NodeVisitor):
    """The names that the top level of a cell assigns or defines."""

    def __init__(self, source):
        self.names = set()
        self.visit(ast.parse(source))

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            self.names.add(node.id)

    def visit_FunctionDef(self, node):
        self.names.add(node.name)

    def leave_out(self, node):
        """Names within these are their own; imports give the same again."""

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = leave_out  # noqa: N815
    visit_Import = visit_ImportFrom = leave_out  # noqa: N815


def globals_of(table):
    """The global names that a function and the functions in it use."""
    own = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    return own.union(*map(globals_of, table.get_children()))


def functions(source):
    """By name of a cell's functions, the global names that each uses."""
    tables = symtable.symtable(source, "cell", "exec").get_children()
    return {table.get_name(): globals_of(table) for table in tables if table.get_type() == "function"}


def figures(source):
    """The names of the functions of a cell that draw figures that move."""
    made = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in made if any("explore(" in ast.unparse(d) for d in node.decorator_list)}


def changed_later(cells):
    """What later cells assign of the names that figures use, directly or through other functions."""
    known = {}
    for number, source in enumerate(cells):
        known |= functions(source)
        needed = set().union(*(known[name] for name in figures(source)))
        while more := set().union(*(known[name] for name in needed & known.keys())) - needed:
            needed |= more
        for later in cells[number + 1 :]:
            yield from sorted(needed & Assigned(later).names)


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.topic)
def test_no_later_cell_changes_what_a_figure_uses(chapter):
    cells = [cell.source for cell in read_chapter(chapter.page).cells if cell.kind != "text"]
    assert list(changed_later(cells)) == []


def test_a_name_that_is_assigned_again_is_found_through_other_functions():
    helper = "pushed = 1\ndef half():\n    return pushed / 2"
    figure = "@explore(n=1)\ndef figure(n):\n    return half()"
    assert list(changed_later([helper, figure, "a, pushed = 2, 3"])) == ["pushed"]
    assert list(changed_later([helper, figure, "[pushed for pushed in range(3)]"])) == []
