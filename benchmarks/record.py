"""The book's page of timings, `book/performance.md`: written here, section by section, never by hand."""

import datetime
import importlib
import inspect
import platform
import re
import sys
from pathlib import Path

import numpy as np

from margins_book.experiments.machine import processor

PAGE = Path(__file__).resolve().parent.parent / "book" / "performance.md"
PEERS = ("scipy", "sklearn", "cvxpy", "torch", "statsmodels")
TITLES = {
    "svm": "Support vector machines",
    "attention_svm_solvers": "Attention-SVM solvers",
    "attention_svm_training": "Attention-SVM training",
    "interaction": "Figures that move",
    "python_in_page": "Python in the page",
    "coursework": "Marking coursework",
}
SECTION = re.compile(r"^% section (\w+)\n(.*?)^% end of \1\n", re.MULTILINE | re.DOTALL)

HEAD = """---
myst:
  html_meta:
    description: "How fast the book's library is, next to well-kept peers, and to what accuracy."
---

# How fast the library is

Each row runs one job with the book's library and with a well-kept peer, in turn, in one process, on **one
thread**: the times are medians of processor time, which other programs on the machine hardly disturb,
and the *ratio* is ours over the peer's, so that below 1 we are the faster.
A time without an error means nothing; what both sides reached stands beside it.
The goals were set before the code was written. Where one is missed, the row says so.

This page is written by `python -m benchmarks`, each section by the script that it names.
"""
COLUMNS = ("job", "peer", "ours", "the peer", "ratio", "goal", "accuracy")


def write(name, rows, *, page=PAGE):
    """Puts the `rows` of the script `name` into its section of the page, and leaves the others."""
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    sections = dict(SECTION.findall(before))
    sections[name] = _section(name, rows)
    parts = [f"\n% section {key}\n{sections[key]}% end of {key}\n" for key in sorted(sections)]
    page.write_text(HEAD + "".join(parts), encoding="utf-8")


def machine():
    """What the times were taken on: processor, Python, NumPy with its BLAS, and the peers loaded."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    versions = [f"{peer} {sys.modules[peer].__version__}" for peer in PEERS if peer in sys.modules]
    return ", ".join(
        [
            processor(),
            f"Python {platform.python_version()}",
            f"NumPy {np.__version__} with {blas['name']} {blas['version']}",
            *versions,
        ]
    )


def _section(name, rows):
    """The Markdown of one script: its own words on what it measures, on what machine, and its table."""
    purpose = inspect.getdoc(importlib.import_module(f"benchmarks.{name}"))
    title = TITLES.get(name, name.replace("_", " ").capitalize())
    lines = [f"## {title}", "", purpose, ""]
    lines += [f"Measured {datetime.date.today().isoformat()} by `benchmarks/{name}.py` on {machine()}.", ""]
    lines += [_line(COLUMNS), _line(["---"] * len(COLUMNS))]
    return "\n".join([*lines, *(_line(_cells(row)) for row in rows)]) + "\n"


def _cells(row):
    """The cells of one row of the table."""
    goal = "" if row.goal is None else f"{row.goal:g} {'met' if row.ratio <= row.goal else '**missed**'}"
    return [
        row.job,
        row.peer,
        legible(row.ours_seconds),
        legible(row.peer_seconds),
        f"{row.ratio:.2g}",
        goal,
        row.accuracy,
    ]


def legible(seconds):
    """A time to three digits: in milliseconds, from a second on in seconds."""
    number, unit = (seconds, "s") if seconds >= 1 else (seconds * 1e3, "ms")
    return f"{float(f'{number:.3g}'):,g} {unit}"


def _line(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
