"""Networks that were trained to answer prompts, and what was measured of them from several seeds."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from margins._types import Array
from margins.data.heads import csv_text, packed, unpacked
from margins.prompt_network import PromptNetwork

NETWORKS = Path(__file__).with_name("prompt_networks.csv")
MEASURES = Path(__file__).with_name("prompt_measures.csv")
TEXTS = ("system", "source", "name")  # columns of the measures that are no numbers
SEED = "seed "  # with its number, the name of a column of the file


def prompt_networks() -> dict[str, PromptNetwork]:
    """A network of each shape, trained on 1024 tasks from the first seed, in numbers of 16 bits.

    "2 heads in training" holds the two heads after each of the numbers of steps that `prompt_measures` names,
    as a leading axis (book: Beyond the equivalence, Trained in context).

    >>> prompt_networks()["2 heads, width 64"].up.shape
    (18, 64)
    """
    with NETWORKS.open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    found: dict[str, dict[str, Array]] = {}
    for row in rows:
        found.setdefault(row["network"], {})[row["part"]] = unpacked(row["shape"], row["numbers"])
    return {name: PromptNetwork(**parts) for name, parts in found.items()}


def networks_text(networks: Mapping[str, PromptNetwork]) -> str:
    """What the file of networks says of these, a line for each array.

    (book: Beyond the equivalence, Trained in context)

    >>> print(networks_text({"none": PromptNetwork(np.zeros((1, 1)), *np.ones((3, 1)))}), end="")
    network,part,shape,numbers
    none,heads,1 1,AAA=
    none,out,1,ADw=
    none,up,1,ADw=
    none,down,1,ADw=
    """
    parts = [(name, *part) for name, network in networks.items() for part in network._asdict().items()]
    rows = [(name, part, *packed(numbers)) for name, part, numbers in parts]
    return csv_text([("network", "part", "shape", "numbers"), *rows])


def prompt_measures() -> tuple[dict, dict[str, Array]]:
    """How training went, and the table of measured numbers, a column for each name.

    A row is one number: `value` of what `name` says, for a network with `heads` and a feed-forward layer of
    width `inner`, that learnt `tasks` tasks from a `seed`, after `steps` steps; a line of the file has
    those of all seeds (book: Beyond the equivalence, Trained in context).

    >>> training, table = prompt_measures()
    >>> training["seeds"], sorted(set(table["system"].tolist()))
    (5, ['few', 'kernel', 'tasks', 'transfer', 'width'])
    """
    first, _, body = MEASURES.read_text(encoding="ascii").partition("\n")
    rows = list(csv.DictReader(body.splitlines()))
    of_seeds = [name for name in rows[0] if name.startswith(SEED)]
    columns = {
        name: np.repeat([row[name] for row in rows], len(of_seeds)) for name in rows[0].keys() - of_seeds
    }
    columns["seed"] = np.tile([name.removeprefix(SEED) for name in of_seeds], len(rows))
    columns["value"] = np.array([row[name] for row in rows for name in of_seeds])
    numbers = {name: column.astype(float) for name, column in columns.items() if name not in TEXTS}
    return json.loads(first.removeprefix("# ")), columns | numbers


def measured(table: Mapping[str, Array], name: str, **where: object) -> Array:
    """The values called `name` in the rows whose columns have the values `where`, in their order.

    (book: Beyond the equivalence, Trained in context)

    >>> _, table = prompt_measures()
    >>> measured(table, "new", system="tasks", heads=2, inner=64, tasks=1024).shape  # a number for each seed
    (5,)
    """
    kept = table["name"] == name
    for column, value in where.items():
        kept = kept & (table[column] == value)
    if not kept.any():
        raise ValueError(f"no row called {name!r} has {where}")
    return table["value"][kept]
