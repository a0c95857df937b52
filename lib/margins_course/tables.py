"""Tables as CSV that a spreadsheet opens without running anything in them.

(book: Teaching with this book, Export)
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from margins_course.folder import write

# A semicolon begins a cell where the comma is for decimals, and a quotation mark behind it is no part of the
# cell. Some spreadsheets take the wide forms of East Asian keyboards too.
FORMULA = re.compile('(^|;)([ "]*)([=+\\-@\uff1d\uff0b\uff0d\uff20])(?!$)')

STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # colours, bells, writing backwards


def safe(value: object) -> str:
    """A cell's text; what a spreadsheet would take for a formula gets an apostrophe in front."""
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    return FORMULA.sub(r"\1\2'\3", one_line(text)) if isinstance(value, str) else text


def one_line(text: str) -> str:
    """Text that neither breaks a row nor steers the terminal on which it is printed."""
    return " ".join(STEERING.sub(" ", text).split())


def printable(text: str) -> str:
    """Text of several lines that does not steer the terminal, whatever file names are in it."""
    return "\n".join(STEERING.sub(" ", line) for line in text.split("\n"))


def write_table(path: Path, columns: Sequence[str], rows: Iterable[dict]) -> None:
    """A CSV file of dictionaries, whole or not at all."""
    buffer = io.StringIO(newline="")
    table = csv.writer(buffer)
    table.writerow(columns)
    table.writerows([safe(row.get(column, "")) for column in columns] for row in rows)
    write(path, "\ufeff" + buffer.getvalue())  # the mark that tells Excel of UTF-8


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table that `write_table` wrote."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
