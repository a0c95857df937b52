"""Published values of the experiments, each with its source, from the plain file `published.csv`.

Values that were read off a plot are good to about two digits; what could not be read is not in the file.
"""

import csv
from pathlib import Path
from typing import NamedTuple

__all__ = ["Published", "published"]

FILE = Path(__file__).with_name("published.csv")


class Published(NamedTuple):
    """A value, and where it stands.

    (book: The paper in a minute)

    >>> Published(0.9, "read off a plot").value
    0.9
    """

    value: float
    source: str


def published(experiment: str) -> dict[tuple[str, str], Published]:
    """The published values of an experiment, by setting and quantity, such as ("d=4", "mean single").

    (book: The paper in a minute)

    >>> round(published("several-tokens")["d=4", "mean single"].value, 2)
    0.16
    """
    with open(FILE, encoding="utf8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["experiment"] == experiment]
    return {(r["setting"], r["quantity"]): Published(float(r["value"]), r["source"]) for r in rows}
