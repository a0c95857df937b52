"""What figures say at all positions: the unit of angles, numbers, lists, transposes and shares."""

import json
import re

import numpy as np
import pytest

from tests.book.conftest import SITE
from tests.book.figures import PAGES_WITH_FIGURES

TABLE = re.compile(r'<figure class="explorable" id="([^"]+)"[^>]*data-frames="([^"]+)"')
STILL = re.compile(r'<figure class="figure" id="([^"]+)".*?</figure>', re.S)
UNIT = re.compile(r"degrees|°")
UNWANTED = {
    "a number as programs print it": re.compile(r"\de[-+]\d|(?<![\w.])-0(\.0+)?(?![\d.])"),
    "a list as programs print it": re.compile(r"\[[\d, ]*\]"),
    "a share that rounding has completed": re.compile(r"at least 100(\.0+)?\s?%"),
    "a prime for a transpose": re.compile(r"[A-Z]['′]"),
    "an angle in radians": re.compile(r"\d\s?rad\b|radian"),
}


def tables(path):
    """The figures of a page by name, with all their frames."""
    page = SITE / path
    return {
        name: json.loads((page.parent / file).read_text()) for name, file in TABLE.findall(page.read_text())
    }


def titles(table):
    """The titles of all axes and panels of a figure."""
    marks = [mark for mark in table["marks"] if mark["k"] in ("name x", "name y", "title")]
    return ["".join(text for text, _ in style["runs"]) for mark in marks for style in mark["s"]]


def sentences(table):
    """The sentence of every frame, numbers put into their templates."""
    data = np.array(table["columns"], np.int64).reshape(-1, *table["grid"])
    for axis in range(1, data.ndim):
        data = data.cumsum(axis)
    columns, said = data.reshape(len(data), -1), table["texts"]

    def at(slot, frame):
        return slot if isinstance(slot, int) else int(columns[slot[0], frame]) + slot[1]

    for frame in range(int(np.prod(table["grid"]))):
        pieces, decimals = said["templates"][at(said["which"], frame)]
        numbers = [f"{at(said['n'][k], frame) / 10**d:.{d}f}" for k, d in enumerate(decimals)]
        yield pieces[0] + "".join(number + piece for number, piece in zip(numbers, pieces[1:], strict=True))


@pytest.mark.parametrize("path", PAGES_WITH_FIGURES)
def test_axes_of_angles_name_their_unit(path):
    found = [(name, title) for name, table in tables(path).items() for title in titles(table)]
    for still in STILL.finditer((SITE / path).read_text()):
        found += [(still[1], text) for text in re.findall(r"<text[^>]*>(.*?)</text>", still[0], re.S)]
    assert [one for one in found if re.search(r"\bangles?\b", one[1]) and not UNIT.search(one[1])] == []


@pytest.mark.parametrize("path", PAGES_WITH_FIGURES)
def test_sentences_are_written_for_readers(path):
    """Nowhere do they state numbers, lists, shares or matrices as a program would print them."""
    for name, table in tables(path).items():
        said = set(sentences(table))
        assert said, f"{name} says nothing"
        for what, pattern in UNWANTED.items():
            wrong = [sentence for sentence in said if pattern.search(sentence)]
            assert not wrong, f"{name}: {what}: {wrong[0]}"
