"""The run of all experiments: recorded and reported on a page, also after an interruption."""

import re
import shutil
import signal
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from margins_book.experiments import Results, label, recorded
from margins_book.experiments.__main__ import main
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.paper import run_paper
from margins_book.experiments.published import published
from tests.margins_book.experiments.processes import COMMAND, heed_ctrl_c
from tests.margins_book.experiments.small_sweep import contents

TINY = {  # settings and cells of which a run takes seconds
    "trajectories": ({"iterations": 60, "block": 4}, lambda cell: True),
    "local-convergence": ({"record": [20, 40], "block": 3}, lambda cell: True),
    "ranks": ({"block": 3}, lambda cell: cell["d"] == 4 and cell["T"] == 5),
    "ranks-first-order": ({"block": 2}, lambda cell: (cell["n"], cell["d"]) == (5, 20)),
    "path-limits": ({"radii": [3, 300, 3000], "starts": 2, "block": 1}, lambda cell: True),
    "rates": ({"record": [30, 300], "block": 3}, lambda cell: True),
    "feasibility": ({"block": 2}, lambda cell: cell["d"] == 4),
    "run-classes": ({"iterations": 60, "block": 3}, lambda cell: cell["d"] < 9),
    "global-convergence": ({"iterations": 60, "block": 3}, lambda cell: cell["n"] == 5),
    "several-tokens": ({"iterations": 200, "block": 40}, lambda cell: cell["d"] == 4),
}


class Small:
    """An experiment with fewer and smaller cells."""

    def __init__(self, name):
        self.whole = EXPERIMENTS[name]
        self.changes, self.wanted = TINY[name]
        self.SETTINGS = self.whole.SETTINGS | self.changes
        self.estimates = self.whole.estimates
        self.RECORDED = getattr(self.whole, "RECORDED", {})

    def sweep(self):
        sweep = self.whole.sweep()
        cells = [cell | {"seed": 0} for cell in sweep.cells if self.wanted(cell)]
        distinct = {label(cell): cell for cell in cells}
        return replace(sweep, cells=list(distinct.values()), settings=self.SETTINGS)


def shrink(patch, folder):
    """Puts small experiments in the place of the catalogue's, recorded in a folder of their own."""
    for name in list(EXPERIMENTS):
        patch.setitem(EXPERIMENTS, name, Small(name))
    patch.setattr(recorded, "FOLDER", folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run of all small experiments, and its results."""
    folder = tmp_path_factory.mktemp("paper")
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, folder)
        return folder, run_paper(folder / "results", folder / "paper.md", workers=1, show=False)


@pytest.fixture
def small(whole, monkeypatch, tmp_path):
    """The results of that run, and a copy of its folder where small experiments may go on."""
    shrink(monkeypatch, tmp_path)
    shutil.copytree(whole[0], tmp_path, dirs_exist_ok=True)
    return whole[1], tmp_path


def test_the_page_reports_what_ran(small):
    results, folder = small
    text = (folder / "paper.md").read_text()
    assert list(results) == list(EXPERIMENTS)
    assert "%%" not in text
    for name, result in results.items():
        rows = recorded.read(name)[1]
        assert recorded.read(name)[0]["settings"] == result.settings
        assert sum(int(row.get("count", 1)) for row in rows) == len(result.rows)
        assert len(recorded.recorded(name)["seed"]) == len(result.rows)
        assert re.search(
            rf"^\| \[{name}\]\(#experiment-{name}\) \| \d+ \| (\d\.\de-\d+|no SVM.*) \| \d+\.\d \|$",
            text,
            re.M,
        )
        assert f"\n(experiment-{name})=\n## " in text
    assert f"| {published('several-tokens')['d=4', 'mean single'].value:g} |" in text


def test_an_interrupted_run_of_the_paper_goes_on(small):
    """What a first run has measured is neither measured again nor lost."""
    whole, folder = small[0], small[1] / "results"
    path = folder / "ranks.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: 2 + 4]) + lines[6][:9])  # cut in the second cell, in mid-line
    stamps = {file.name: file.stat().st_mtime_ns for file in folder.glob("*.csv") if file != path}
    again = run_paper(folder, small[1] / "paper.md", workers=1, show=False)
    assert {file.name: file.stat().st_mtime_ns for file in folder.glob("*.csv") if file != path} == stamps
    assert contents(again["ranks"]) == contents(whole["ranks"])


@pytest.mark.slow
def test_the_command_stops_at_ctrl_c_and_says_how_to_go_on(tmp_path):
    process = subprocess.Popen(
        [
            *COMMAND,
            "paper",
            "--workers",
            "1",
            "--output",
            tmp_path / "results",
            "--page",
            tmp_path / "paper.md",
        ],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    path = tmp_path / "results" / "path-limits.csv"
    while not path.exists() and process.poll() is None:
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert f"What was finished is in {tmp_path / 'results'}" in errors
    assert len(Results(path, EXPERIMENTS["path-limits"].SETTINGS).done) >= 1
    assert not (tmp_path / "paper.md").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paper", "--seeds", "50"], "paper has its sizes and its report: it takes no --seeds"),
        (
            ["paper", "--page", "no/such/paper.md"],
            "page must lie in a folder that exists, but got no/such/paper.md",
        ),
    ],
)
def test_refusals_of_the_paper(arguments, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_a_recorded_gap_is_the_largest():
    for name in EXPERIMENTS:
        gaps = recorded.recorded(name)["gap"]
        assert np.unique(gaps[np.isfinite(gaps)]).size <= 1
