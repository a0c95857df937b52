"""Every figure that moves, drawn anew: the baked tables are what the page's own functions draw."""

import itertools
import json
import random
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from conftest import full
from explorable.figures import Explorable
from margins_book.page.chapter import read_chapter
from margins_book.page.selection import needed_cells
from margins_book.page.words import figure_named
from margins_course.grading.reference import quiet_marking
from tests.book.conftest import ROOT, SITE, parsed
from tests.book.figures import PAGES_WITH_FIGURES, explorables
from tests.explorable.script_in_node import read

FRAMES_COMPARED, FRAMES_BETWEEN = 9, 300
FEW = 60  # of those between: enough where their errors are below half of what is allowed
MEDIAN_ERROR, LARGE_ERROR = 0.1, 1.2  # pixels of 360, of 95 in a hundred numbers


class Redrawn(NamedTuple):
    """A figure of a page: what its controls are, the table the page has, and the function that draws it."""

    spec: dict
    table: dict
    figure: Explorable

    def frames(self, places):
        """Pairs of what the reader's side draws at each place, and what the function draws now."""
        was = read(self.table, places, rest=False, pictured=False)
        return list(zip(was, (frame(self.figure, place) for place in places), strict=True))


# a story shows figures of its chapter
FIRST, *OTHERS = [page for page in PAGES_WITH_FIGURES if not page.startswith("stories/")]


@pytest.fixture(scope="module", params=[FIRST, *full(*OTHERS)])
def redrawn(request):
    """The figures of a page, their functions defined anew."""
    functions = drawing_functions((ROOT / request.param).with_suffix(".md"))
    found = []
    for name in explorables(request.param):
        element = parsed(request.param).find(id=name)
        spec = json.loads(element.find("script").text)
        table = json.loads(((SITE / request.param).parent / element["data-frames"]).read_text())
        found.append(Redrawn(spec, table, functions[spec["name"]]))
    return found


def positions(spec, count, *, between=False):
    """Positions of the controls chosen at random; those of sliders anywhere if `between`."""
    choose = random.Random(spec["name"])
    ends = [(len(p["values"]) - 1, between and p["kind"] == "slider") for p in spec["parameters"]]
    return [
        tuple(choose.uniform(0, end) if anywhere else choose.randint(0, end) for end, anywhere in ends)
        for _ in range(count)
    ]


def test_baked_tables_are_what_the_functions_draw_now(redrawn):
    for figure in redrawn:
        places = positions(figure.spec, FRAMES_COMPARED)
        for place, (was, now) in zip(places, figure.frames(places), strict=True):
            where = f"{figure.spec['name']} at {place}"
            assert now["text"] == was["text"], where
            assert by_key(json.loads(json.dumps(now))) == by_key(was), where


@pytest.mark.full
def test_between_computed_positions_marks_are_nearly_where_the_functions_put_them(redrawn):
    for figure in redrawn:
        median, large = errors_between(figure)
        assert median <= MEDIAN_ERROR, figure.spec["name"]
        assert large <= LARGE_ERROR, figure.spec["name"]


def errors_between(figure):
    """The median of the errors at positions chosen at random, and the error that five in a hundred exceed."""
    places = positions(figure.spec, 1) + positions(figure.spec, FRAMES_BETWEEN, between=True)
    start, *between = dict.fromkeys(places)  # a choice has no places between
    first = numbers_of(figure.frames([start])[0][0])
    median, large = quantiles(figure, between[:FEW], first)
    if median <= MEDIAN_ERROR / 2 and large <= LARGE_ERROR / 2:
        return median, large
    return quantiles(figure, between, first)


def quantiles(figure, places, first):
    pairs = figure.frames(places)
    errors = [distances(*map(numbers_of, pair), first) for pair in pairs]
    errors = np.concatenate([[0.0], *errors])  # some figures change colours and words alone
    return np.quantile(errors, [0.5, 0.95])


def by_key(frame):
    """The marks by panel and key, with all that is said of them."""
    return {(mark["p"], mark["k"]): mark for mark in frame["marks"]}


def numbers_of(frame):
    """The numbers of each mark, in tenths of a pixel."""
    return {(m["p"], m["k"], m["t"], len(m["n"])): m["n"] for m in frame["marks"]}


def distances(was, now, first):
    """Pixels between the numbers that both frames hold, of those that have moved since the first."""
    nowhere, both = itertools.repeat(np.nan), [mark for mark in now if mark in was]
    rows = [row for mark in both for row in zip(was[mark], now[mark], first.get(mark, nowhere), strict=False)]
    a, b, start = np.array(rows).T
    return np.abs(a - b)[a != start] / 10


def drawing_functions(source):
    """The figures of a page by name, from its own cells as the build runs them."""
    names = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch, quiet_marking():
        patch.setenv("EXPLORABLE_BAKE", "1")
        for code in moving_cells(source):
            mode = "eval" if figure_named(code) else "exec"
            names[code] = eval(compile(code.strip(), source.name, mode), names)
    return {figure.name: figure for figure in names.values() if isinstance(figure, Explorable)}


def moving_cells(source):
    """The sources of the cells that draw the figures of a page, and of what these use."""
    plain = [cell for cell in read_chapter(source).cells if cell.kind == "setup"]
    marked = [replace(cell, kind="check") if draws(cell.source) else cell for cell in plain]
    return [cell.source for cell in needed_cells(marked)]


def draws(source):
    return figure_named(source) or "@explore(" in source


def frame(figure, place):
    """The frame that the figure draws at a place."""
    controls = zip(figure.parameters.items(), place, strict=True)
    return figure.frame({name: value(control, position) for (name, control), position in controls})


def value(control, position):
    """What a control says at a position on or between those it offers."""
    low, share = int(position), position % 1
    if not share:
        return control.values[low]
    a, b = control.values[low : low + 2]
    return a * (b / a) ** share if control.log else a + (b - a) * share
