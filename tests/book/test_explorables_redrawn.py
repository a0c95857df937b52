"""Every figure that moves, drawn anew: the baked tables are what the page's own functions draw."""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.book.conftest import ROOT, SITE, parsed
from tests.book.figures import PAGES_WITH_FIGURES, explorables
from tests.explore.reader import read

FRAMES_COMPARED, FRAMES_BETWEEN = 3, 300
MEDIAN_ERROR, LARGE_ERROR = 0.1, 1.2  # pixels of 360, of 95 in a hundred numbers


@pytest.fixture(scope="module", params=PAGES_WITH_FIGURES)
def redrawn(request):
    """Of each figure on a page: (positions, what the reader's side draws there, what the functions draw now).

    The first FRAMES_COMPARED positions are computed ones; at the others the reader's side interpolates.
    """
    wanted = {}
    for name in explorables(request.param):
        figure = parsed(request.param).find(id=name)
        spec = json.loads(figure.find("script").text)
        table = json.loads(((SITE / request.param).parent / figure["data-frames"]).read_text())
        places = [*positions(spec, FRAMES_COMPARED), *positions(spec, FRAMES_BETWEEN, between=True)]
        wanted[spec["name"]] = places, read(table, places, rest=False)
    source = request.param.removesuffix(".html") + ".md"
    now = drawn_now(source, {name: places for name, (places, _) in wanted.items()})
    return {name: (*found, now[name]) for name, found in wanted.items()}


def positions(spec, count, *, between=False):
    """Positions of the controls chosen at random; those of sliders anywhere if `between`."""
    choose = random.Random(spec["name"])
    ends = [(len(p["values"]) - 1, between and p["kind"] == "slider") for p in spec["parameters"]]
    return [
        [choose.uniform(0, end) if anywhere else choose.randint(0, end) for end, anywhere in ends]
        for _ in range(count)
    ]


def test_baked_tables_are_what_the_functions_draw_now(redrawn):
    for name, frames in redrawn.items():
        for place, was, now in list(zip(*frames, strict=True))[:FRAMES_COMPARED]:
            assert now["text"] == was["text"], f"{name} at {place}"
            assert [m["n"] for m in now["marks"]] == [m["n"] for m in was["marks"]], f"{name} at {place}"


def test_between_computed_positions_marks_are_nearly_where_the_functions_put_them(redrawn):
    for name, (_, was, now) in redrawn.items():
        first = numbers_of(was[0])
        pairs = zip(was[FRAMES_COMPARED:], now[FRAMES_COMPARED:], strict=True)
        errors = np.concatenate([distances(*map(numbers_of, pair), first) for pair in pairs])
        assert np.median(errors) <= MEDIAN_ERROR, name
        assert np.quantile(errors, 0.95) <= LARGE_ERROR, name


def numbers_of(frame):
    """The numbers of each mark, in tenths of a pixel."""
    return {(m["p"], m["k"], m["t"], len(m["n"])): np.array(m["n"]) for m in frame["marks"]}


def distances(was, now, first):
    """Pixels between the numbers that both frames hold, of those that have moved since the first."""
    both = [(was[mark], now[mark], first.get(mark)) for mark in now.keys() & was.keys()]
    return np.concatenate([np.abs(a - b)[a != start] / 10 for a, b, start in both])


REDRAW = """
import json, sys
import jupytext
source, wanted = sys.argv[1], json.loads(sys.argv[2])
names = {}
for cell in jupytext.read(source, fmt="md:myst").cells:
    if cell.cell_type == "code":
        exec(compile(cell.source, source, "exec"), names)
figures = {f.name: f for f in names.values() if type(f).__name__ == "Explorable"}

def value(control, position):
    low, share = int(position), position % 1
    if not share:
        return control.values[low]
    a, b = control.values[low : low + 2]
    return a * (b / a) ** share if control.log else a + (b - a) * share

drawn = {}
for name, places in wanted.items():
    figure = figures[name]
    controls = figure.parameters.items()
    drawn[name] = [figure.frame({key: value(c, k) for (key, c), k in zip(controls, at)}) for at in places]
json.dump(drawn, open(sys.argv[3], "w"))
"""


def drawn_now(source, places):
    """Frames by figure and place, drawn by the page's own cells in a Python without IPython's display."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "frames.json"
        command = [sys.executable, "-c", REDRAW, ROOT / source, json.dumps(places), answer]
        environment = {**os.environ, "MPLBACKEND": "agg", "MARGINS_BAKE": "1"}
        result = subprocess.run(
            command, cwd=(ROOT / source).parent, env=environment, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stderr[-2000:]
        return json.loads(answer.read_text())
