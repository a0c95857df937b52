"""The rows of the record of mutants, `recorded.csv`: written, and moved with functions that have moved.

`margins_book.mutants` reads them; `reasons.txt` holds the survivors that are as good as the library, each
under a `# reason`, which begins with "equal:" where no input whatever could tell the two apart.
"""

import csv
from dataclasses import astuple, fields, replace

from margins_book.mutants import REASONS, RECORD, Row, digests


def write(rows):
    """Keeps `rows` instead of all earlier ones, in the order of their places."""
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([field.name for field in fields(Row)])
        table.writerows(sorted(set(map(astuple, rows))))


def follow_moves(rows):
    """The rows at the places of today, where a function stands unchanged in another module of its package."""
    now, homes = digests(), {}
    for place, digest in now.items():
        homes.setdefault((place.split(".")[0], digest), []).append(place)
    moved = {}
    for row in rows:
        found = homes.get((row.package, row.digest), [])
        if now.get(row.place) != row.digest and len(found) == 1:
            moved[row.name] = replace(row, place=found[0])
    lines = REASONS.read_text(encoding="utf-8").splitlines()
    REASONS.write_text("".join(f"{moved[line].name if line in moved else line}\n" for line in lines), "utf-8")
    return [moved.get(row.name, row) for row in rows]
