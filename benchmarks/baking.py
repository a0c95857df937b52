"""How long the moving figures of a page take to bake when the book is built, beside their budgets.

Processor time of all positions of a figure, the page's own cells left out. The peers are the budgets.
"""

import contextlib
import io
import os
from pathlib import Path

import jupytext

from benchmarks.harness import Row, cpu_seconds
from explorable.bake import bake, gzipped_size
from explorable.figures import Explorable

ROOT = Path(__file__).parents[1]
FIGURE_SECONDS, PAGE_SECONDS = 10, 25


def explorables(page):
    """The moving figures that the cells of a page define."""
    names = {}
    with contextlib.chdir(page.parent), contextlib.redirect_stdout(io.StringIO()):
        for cell in jupytext.read(page, fmt="md:myst").cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, str(page), "exec"), names)
    return [figure for figure in names.values() if isinstance(figure, Explorable)]


def baked(figure):
    """Seconds of one bake, its positions, and the bytes of its table on the way to a reader."""
    seconds, table = cpu_seconds(lambda: bake(figure.name, figure.parameters, figure.handles, figure.frame))
    positions = 1
    for size in table["grid"]:
        positions *= size
    return seconds, positions, gzipped_size(table)


def rows():
    os.environ |= {"MPLBACKEND": "agg", "EXPLORABLE_BAKE": "1"}
    for page in [ROOT / "index.md", *sorted((ROOT / "chapters").glob("*.md"))]:
        measured = {figure.name: baked(figure) for figure in explorables(page)}
        if not measured:
            continue
        slowest = max(measured, key=lambda name: measured[name][0])
        seconds, positions, size = measured[slowest]
        said = f"{positions} positions, {size / 1000:.0f} kB gzipped"
        yield Row(
            f"the slowest figure of {page.stem}: {slowest}", "budget", seconds, FIGURE_SECONDS, 1.0, said
        )
        seconds, _, size = map(sum, zip(*measured.values(), strict=True))
        said = f"{len(measured)} figures, {size / 1000:.0f} kB gzipped"
        yield Row(f"all figures of {page.stem}", "the budget", seconds, PAGE_SECONDS, 1.0, said)
