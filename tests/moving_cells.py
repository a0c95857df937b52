"""What the moving figures of a page rest on: of its cells, the statements that they need, and no others."""

from dataclasses import replace

from margins_book.page.chapter import read_chapter
from margins_book.page.selection import needed_cells
from margins_book.page.words import figure_named


def moving_cells(source):
    """The sources of the cells that draw the figures of a page, and of what these use."""
    plain = [cell for cell in read_chapter(source).cells if cell.kind == "setup"]
    marked = [replace(cell, kind="check") if draws(cell.source) else cell for cell in plain]
    return [cell.source for cell in needed_cells(marked)]


def draws(source):
    return figure_named(source) or "@explore(" in source
