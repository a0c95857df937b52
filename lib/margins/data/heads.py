"""Heads of attention that were trained on text: their matrices, what they see, and what was measured of them.

A network of two layers of four heads was trained to foretell the next letter, from five seeds.
"""

from __future__ import annotations

import csv
import io
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike

ALPHABET = "abcdefghijklmnopqrstuvwxyz.,- "
HEADS = Path(__file__).with_name("heads.csv")
MEASURES = Path(__file__).with_name("head_measures.csv")


@frozen
class TrainedHeads:
    """The heads of the network of the first seed, and the rows that they see when it reads a text.

    (book: The softmax kernel, A trained head)

    >>> trained_heads().text[:30]
    'beautiful is better than ugly.'
    """

    text: str  # of n letters
    tokens: Array  # (layers, n, d): the rows that the heads of a layer see
    W_Q: Array  # (layers, heads, d, d_k)
    W_K: Array  # (layers, heads, d, d_k)
    W_V: Array  # (layers, heads, d, d_k)


def trained_heads() -> TrainedHeads:
    """The trained heads that are kept in the library, recorded in numbers of 16 bits.

    (book: The softmax kernel, A trained head)

    >>> heads = trained_heads()
    >>> heads.tokens.shape, heads.W_Q.shape
    ((2, 64, 32), (2, 4, 32, 8))
    """
    with HEADS.open(encoding="ascii", newline="") as file:
        kept = {row["name"]: row for row in csv.DictReader(file)}
    arrays = {
        name: unpacked(kept[name]["shape"], kept[name]["numbers"]) for name in ("tokens", "W_Q", "W_K", "W_V")
    }
    return TrainedHeads(text=kept["text"]["numbers"], **arrays)


def heads_text(text: str, arrays: dict[str, ArrayLike]) -> str:
    """What the file of trained heads says of these, a line for the text and for each array.

    (book: The softmax kernel, A trained head)

    >>> print(heads_text("ab", {"tokens": [[0.5, 1.0]]}), end="")
    name,shape,numbers
    text,2,ab
    tokens,1 2,ADgAPA==
    """
    rows = [(name, *packed(numbers)) for name, numbers in arrays.items()]
    return csv_text([("name", "shape", "numbers"), ("text", len(text), text), *rows])


def head_measures() -> tuple[dict, Array]:
    """How training went, and a row of measured numbers for each head of each seed, before and after it.

    The fields of a row are those of `measures` and `principal` in `margins_book.experiments.trained_head`,
    besides `seed`, `steps` (0 before training), `layer` and `head` (book: The softmax kernel, A trained
    head).

    >>> training, rows = head_measures()
    >>> training["seeds"], len(rows) == 2 * 5 * 8
    ([0, 1, 2, 3, 4], True)
    """
    first, _, body = MEASURES.read_text(encoding="ascii").partition("\n")
    rows = np.genfromtxt(body.splitlines(), delimiter=",", names=True)
    return json.loads(first.removeprefix("# ")), rows


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """What a file of these rows says."""
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue()


def packed(array: ArrayLike) -> tuple[str, str]:
    """The shape of an array and its entries, rounded to 16 bits, as two words."""
    halves = np.asarray(array, dtype="<f2")
    return " ".join(map(str, halves.shape)), b64encode(halves.tobytes()).decode("ascii")


def unpacked(shape: str, numbers: str) -> Array:
    """The array of two such words, as floats of 64 bits."""
    halves = np.frombuffer(b64decode(numbers), dtype="<f2")
    return halves.reshape([int(size) for size in shape.split()]).astype(np.float64)
