"""Sweeps that are interrupted, resumed, sent to a cluster and robbed of a worker."""

import contextlib
import fcntl
import functools
import io
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margins.attention_svm import random_start, random_token_data
from margins.experiments import Results, Sweep, label, measured, run
from margins.experiments.__main__ import main
from margins.experiments.catalogue import EXPERIMENTS, question
from margins.experiments.claim import claimed
from margins.experiments.draws import draw_problems, draw_starts
from margins.experiments.estimates import Estimate
from margins.experiments.global_convergence import trend
from margins.experiments.progress import Progress
from margins.experiments.report import groups, report
from tests.conftest import ROOT


def measure(settings, **cell):
    """Three rows with an average each, slow enough for a worker to be stopped while it measures."""
    rng = np.random.default_rng([cell["n"], cell["seed"]])
    return [cell | {"k": k, "mean": float(rng.normal(size=settings["draws"]).mean())} for k in range(3)]


def sweep(seeds=8, draws=1000):
    return Sweep(
        "toy", measure, [{"n": n, "seed": s} for n in (2, 3) for s in range(seeds)], {"draws": draws}
    )


def contents(results):
    """The rows without their order, which depends on who finished first."""
    return sorted(tuple((row | {"seconds": ""}).items()) for row in results.rows)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The results of the sweep, and the text of their file."""
    path = tmp_path_factory.mktemp("whole") / "toy.csv"
    return run(sweep(), path, workers=1, show=False), path.read_text()


def test_problems_of_a_block_are_those_that_their_seeds_give_alone():
    data, generators = draw_problems(3, 4, 5, range(7, 10))
    W, (K, Q) = draw_starts(data, generators), draw_starts(data, generators, 2)
    for k, seed in enumerate(range(7, 10)):
        rng = np.random.default_rng([3, 4, 5, seed])
        one = random_token_data(3, 4, 5, rng=rng)
        for name in ("X", "Z", "Y", "v"):
            assert_array_equal(getattr(data[k], name), getattr(one, name))
        assert_array_equal(W[k], random_start(one, rng=rng))
        assert_array_equal((K[k], Q[k]), random_start(one, rng=rng, width=2))


def test_every_cell_is_measured_once(whole):
    results, _ = whole
    assert len(results.rows) == 3 * 16
    table = results.table()
    assert {name: column.dtype.kind for name, column in table.items()} == {
        "cell": "U",
        "rows": "i",
        "seconds": "f",
        "n": "i",
        "seed": "i",
        "k": "i",
        "mean": "f",
    }
    places = {(n, s, k) for n, s, k in zip(table["n"], table["seed"], table["k"], strict=True)}
    assert len(places) == 48
    assert table["mean"][0] == measure({"draws": 1000}, n=2, seed=0)[0]["mean"]


def test_file_is_plain(whole, tmp_path):
    """Any reader of CSV files gets the numbers, to the last digit."""
    results, text = whole
    table = np.genfromtxt(io.StringIO(text), delimiter=",", names=True, dtype=None, skip_header=1)
    assert_array_equal(table["mean"], results.table()["mean"])
    assert text.startswith('# {"draws": 1000}\ncell,rows,seconds,n,seed,k,mean\n')


@pytest.mark.parametrize("share", np.linspace(0, 1, 23))
def test_a_file_cut_off_anywhere_is_completed(whole, tmp_path, share):
    """Behind the settings, which come with the first cell, an interruption may cut at any letter."""
    results, text = whole
    path, settings = tmp_path / "toy.csv", text.index("\n") + 1
    path.write_text(text[: settings + int(share * (len(text) - settings))])
    completed = run(sweep(), path, workers=1, show=False)
    assert contents(completed) == contents(results)
    assert contents(Results(path, {"draws": 1000})) == contents(results)


def test_only_missing_cells_are_measured(whole, tmp_path):
    _, text = whole
    path = tmp_path / "toy.csv"
    path.write_text("".join(line for line in text.splitlines(keepends=True) if "n=3 seed=5" not in line))
    asked = []

    def listening(settings, **cell):
        asked.append(label(cell))
        return measure(settings, **cell)

    run(Sweep("toy", listening, sweep().cells, {"draws": 1000}), path, workers=1, show=False)
    assert asked == ["n=3 seed=5"]


def test_an_exception_keeps_what_was_finished(whole, tmp_path):
    results, _ = whole
    path = tmp_path / "toy.csv"

    def failing(settings, **cell):
        if cell == {"n": 3, "seed": 2}:
            raise ArithmeticError("on purpose")
        return measure(settings, **cell)

    with pytest.raises(ArithmeticError, match="on purpose"):
        run(Sweep("toy", failing, sweep().cells, {"draws": 1000}), path, workers=1, show=False)
    assert len(Results(path, {"draws": 1000}).done) == 10
    assert contents(run(sweep(), path, workers=1, show=False)) == contents(results)


def test_only_a_new_cell_removes_what_an_interruption_left_behind(whole, tmp_path):
    """Who merely reads a table changes no letter of its file."""
    _, text = whole
    path, cut = tmp_path / "toy.csv", text[: text.index("\n", len(text) // 2) + 9]
    path.write_text(cut)
    opened = Results(path, {"draws": 1000})
    assert 0 < len(opened.done) < 16
    assert path.read_text() == cut
    path.write_text(cut[: cut.index("\n") + 40])
    assert not Results(path, {"draws": 1000}).done
    assert path.exists()
    path.write_text(cut)
    opened.append("another", [dict.fromkeys(("n", "seed", "k", "mean"), 1)])
    assert Results(path, {"draws": 1000}).done == opened.done
    assert Results(path, {"draws": 1000}).whole


def test_a_file_is_claimed_by_one_process_at_a_time(whole, tmp_path):
    path = tmp_path / "new" / "toy.csv"
    with claimed(path):
        with pytest.raises(ValueError, match=r"another process is adding to .*toy\.csv: wait for its end"):
            run(sweep(), path, workers=1, show=False)
        run(sweep(seeds=1), tmp_path / "other.csv", workers=1, show=False)
    assert not list(path.parent.iterdir())
    with claimed(path):
        assert [file.name for file in path.parent.iterdir()] == ["toy.csv.lock"]


def test_a_lock_on_a_file_that_was_taken_away_is_none(tmp_path, monkeypatch):
    """Between opening and locking, the last owner may remove its lock file and another process make one."""
    path, flock, asked = tmp_path / "toy.csv.lock", fcntl.flock, []

    def late(descriptor, how):
        if not asked:
            path.unlink()
        asked.append(descriptor)
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with claimed(tmp_path / "toy.csv"):
        assert len(asked) == 2
        assert path.exists()


def test_a_cell_that_was_written_twice_counts_once(whole, tmp_path):
    results, text = whole
    path = tmp_path / "toy.csv"
    lines = text.splitlines(keepends=True)
    path.write_text("".join(lines + lines[5:8]))
    assert contents(Results(path, {"draws": 1000})) == contents(results)


def test_parallel_processes_give_the_same_results(whole, tmp_path):
    results, _ = whole
    parallel = run(sweep(), tmp_path / "toy.csv", workers=2, show=False)
    assert contents(parallel) == contents(results)


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_loses_no_cell(tmp_path):
    """One of three worker processes is killed after the first results; every cell is still there once."""
    from distributed import Client, LocalCluster  # dear, and wanted here alone

    long = sweep(seeds=6, draws=1_000_000)
    results = Results(tmp_path / "toy.csv", long.settings)
    with (
        LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        processes = client.run(os.getpid)
        for cell, rows, seconds in measured(long, long.cells, cluster=cluster.scheduler_address):
            results.append(label(cell), rows, seconds)
            if len(results.done) == 2:
                os.kill(next(iter(processes.values())), signal.SIGKILL)
        survivors = set(client.run(os.getpid).values()) & set(processes.values())
    assert len(survivors) == 2
    expected = run(long, tmp_path / "local.csv", workers=1, show=False)
    assert contents(results) == contents(expected)


def test_results_of_other_settings_are_refused(whole, tmp_path):
    _, text = whole
    path = tmp_path / "toy.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"holds results of other settings: \{'draws': 1000\}"):
        run(sweep(draws=10), path, show=False)
    assert path.read_text() == text
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="does not begin with the settings of an experiment"):
        run(sweep(), path, show=False)
    assert path.read_text() == "a,b\n1,2\n"


def test_results_refuse_repeated_cells_and_other_columns(tmp_path):
    results = Results(tmp_path / "toy.csv", {})
    results.append("a", [{"x": 1}])
    with pytest.raises(ValueError, match="cell 'a' is already in"):
        results.append("a", [{"x": 2}])
    with pytest.raises(
        ValueError, match=r"the columns of .* are \['cell', 'rows', 'seconds', 'x'\], but a row with"
    ):
        results.append("b", [{"y": 2}])
    assert results.table()["x"].tolist() == [1]


def test_a_silent_cluster_is_named(monkeypatch):
    import margins.experiments.sweep as module

    monkeypatch.setattr(module, "PATIENCE", "1s")
    with pytest.raises(ValueError, match=r"no Dask scheduler answers at cluster = 'tcp://127\.0\.0\.1:9'"):
        list(measured(sweep(), sweep().cells, cluster="tcp://127.0.0.1:9"))


def test_progress_says_how_far_and_how_long():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    with Progress("toy", 4, 1, stream=stream) as progress:
        progress.advance()
        progress.advance()
    last = stream.getvalue().split("\r")[-1]
    assert "toy [######################........] 3/4 cells, 0:00 passed, about 0:00 left" in last
    quiet = io.StringIO()
    with Progress("toy", 2, 2, stream=quiet):
        pass
    assert quiet.getvalue() == f"toy [{'#' * 30}] 2/2 cells, 0:00 passed\n"


SMALL = {  # a block of problems and one cell, cheap enough for a test
    "trajectories": ({"iterations": 100}, {"picture": "clusters"}),
    "rates": ({"record": [10, 100]}, {}),
    "feasibility": ({}, {"n": 5, "T": 5, "d": 3}),
    "local-convergence": ({"record": [50, 100]}, {}),
    "ranks": ({}, {"n": 5, "T": 5, "d": 3}),
    "ranks-first-order": ({}, {"n": 5, "T": 5, "d": 3}),
    "path-limits": ({"radii": [3, 300, 3000], "starts": 3}, {}),
    "run-classes": ({"iterations": 200}, {"d": 4}),
    "global-convergence": ({"iterations": 100}, {"n": 5, "T": 5, "d": 5}),
    "several-tokens": ({"iterations": 300}, {"d": 4}),
}


SLOW = {"path-limits"}
EACH = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in EXPERIMENTS]


@functools.cache
def block(name):
    """The rows of seeds 5 to 8, measured together."""
    experiment, (settings, cell) = EXPERIMENTS[name], SMALL[name]
    return experiment.measure(experiment.SETTINGS | settings | {"block": 4}, **cell, seed=5)


@pytest.mark.parametrize("name", EACH)
def test_a_problem_does_not_depend_on_its_block(name):
    """The rows of seed 7 are the same whether it is measured alone or in the middle of a block."""
    experiment, (settings, cell) = EXPERIMENTS[name], SMALL[name]
    assert cell.keys() | {"seed"} == experiment.sweep().cells[0].keys()
    alone = experiment.measure(experiment.SETTINGS | settings | {"block": 1}, **cell, seed=7)
    assert {row["seed"] for row in block(name)} == {5, 6, 7, 8}
    for one, same in zip(alone, [row for row in block(name) if row["seed"] == 7], strict=True):
        assert one.keys() == same.keys()
        for column, value in one.items():
            expected = (
                value if isinstance(value, str) else pytest.approx(value, rel=1e-6, abs=1e-9, nan_ok=True)
            )
            assert same[column] == expected


@pytest.mark.parametrize("name", EACH)
def test_reports_read_tables_that_are_not_complete(name, tmp_path):
    Results(tmp_path / "part.csv", {}).append("part", block(name))
    text = report(name, EXPERIMENTS[name].estimates(Results(tmp_path / "part.csv", {}).table()))
    assert len(text) >= 3
    assert len(question(name)) > 40


def test_every_cell_of_an_experiment_has_its_own_name():
    for experiment in EXPERIMENTS.values():
        cells = experiment.sweep().cells
        assert len({label(cell) for cell in cells}) == len(cells)


def test_trend_is_the_test_of_cochran_and_armitage():
    """Its square is the Pearson statistic where there are two levels only."""
    levels, hits = np.repeat([2, 8], 50), np.r_[np.arange(50) < 20, np.arange(50) < 35]
    table = np.array([[20, 30], [35, 15]])
    expected = np.outer(table.sum(1), table.sum(0)) / 100
    assert trend(levels, hits) ** 2 == pytest.approx(((table - expected) ** 2 / expected).sum())
    assert trend(levels, np.zeros(100)) == 0.0


def test_tables_are_grouped_by_the_values_of_their_columns():
    table = {"a": np.array([2, 1, 2]), "x": np.array([5, 6, 7])}
    assert [(key, part["x"].tolist()) for key, part in groups(table, "a")] == [((1,), [6]), ((2,), [5, 7])]


def test_estimates_stand_beside_published_values():
    estimates = {"mean single": Estimate(0.15, 0.14, 0.16), "other": Estimate(2)}
    lines = report("several-tokens", [({"d": 4}, estimates)])
    assert lines[1].split() == ["4", "0.150", "(0.140", "to", "0.160)", "{0.156}", "2"]


COMMAND = [sys.executable, "-m", "margins.experiments"]


def heed_ctrl_c():
    """For a process that is to be interrupted: what a shell starts in the background ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


ENDLESS = """
import sys, threading
from margins.experiments import Sweep, run

def measure(settings, *, seed):
    if seed > 0:
        threading.Event().wait()
    return [{"seed": seed}]

run(Sweep("endless", measure, [{"seed": s} for s in range(3)], {}), sys.argv[1], workers=2, show=False)
"""


def wait_for_growth(path, process):
    """Nothing, once the process has added to the file at `path`, or ended."""
    size = path.stat().st_size if path.exists() else 0
    while (not path.exists() or path.stat().st_size == size) and process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)


def test_workers_end_with_the_process_that_started_them(tmp_path):
    """Both measure cells that never end; they hold the error stream of the process that is killed."""
    command = [sys.executable, "-c", ENDLESS, tmp_path / "endless.csv"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    try:
        wait_for_growth(tmp_path / "endless.csv", process)
        process.kill()
        process.communicate(timeout=20)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow
def test_an_interrupted_command_goes_on_where_it_stopped(tmp_path, capsys):
    """Ctrl-C and then a kill in mid-run; in the end every cell is there once, as if nothing had happened.

    While it runs, nobody else may add to its file.
    """
    path, whole = tmp_path / "cut.csv", tmp_path / "whole.csv"
    arguments = ["run-classes", "--workers", "1", "--output"]
    for stop in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(
            [*COMMAND, *arguments, path], stderr=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c
        )
        wait_for_growth(path, process)
        with pytest.raises(SystemExit):
            main([*arguments, str(path)])
        assert f"another process is adding to {path}" in capsys.readouterr().err
        process.send_signal(stop)
        _, errors = process.communicate()
        assert stop == signal.SIGKILL or ("goes on from there" in errors and process.returncode == 130)
    settings = EXPERIMENTS["run-classes"].SETTINGS
    assert 2 <= len(Results(path, settings).done) < 10
    assert main([*arguments, str(path)]) == main([*arguments, str(whole)]) == 0
    assert contents(Results(path, settings)) == contents(Results(whole, settings))
    output = capsys.readouterr()
    tables = output.out.split("d   global")
    assert len(tables) == 3
    assert tables[1] == tables[2]
    assert f"10 of 10 cells are in {path}" in output.err


def test_help_serves_a_newcomer(capsys):
    assert main([]) == 0
    text = capsys.readouterr().out
    for words in ("Ctrl-C", "--cluster ADDRESS", "results/NAME.csv", "dask scheduler", *EXPERIMENTS):
        assert words in text
    assert main(["several-tokens", "--describe"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"suppressed: 1e-06\n.*\n\n94 cells", text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ranks", "--seeds", "30"], "--seeds must be a multiple of the block of 50 problems, but 30 came"),
        (["ranks", "--seeds", "0"], "--seeds must be a multiple of the block"),
        (["ranks", "--report", "--output", "no/such/file.csv"], "there is no no/such/file.csv yet"),
        (
            ["ranks", "--workers", "0", "--output", "unused.csv"],
            "workers must be an integer >= 1, but 0 came",
        ),
        (["nothing"], "invalid choice: 'nothing'"),
        (["ranks", "--output", "lib"], "lib is a folder, but a file for the table was expected"),
        (["ranks", "--report", "--output", "book/pictures/dark.png"], "dark.png holds no text, but a table"),
        (["ranks", "--output", "README.md/ranks.csv"], "no file can be written at README.md/ranks.csv: "),
    ],
)
def test_command_refusals(arguments, message, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("a,b\n1,2\n", "must have the columns cell, rows and seconds, with numbers in the last two"),
        ("cell,rows,seconds\nx,one,2\n", "but it holds {'cell': 'x', 'rows': 'one', 'seconds': '2'}"),
        ("cell,rows,seconds\nx,1,2\n", "table.csv has no column 'n', so it is not of feasibility"),
    ],
)
def test_a_table_of_something_else_under_the_right_settings_is_refused(table, message, tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(f'# {{"block": 50}}\n{table}')
    with pytest.raises(SystemExit):
        main(["feasibility", "--report", "--output", str(path)])
    assert message in capsys.readouterr().err


def test_fewer_seeds_than_a_file_holds_are_refused(tmp_path, capsys):
    """Its cells would all stand in the table; without --seeds the report is of what is there."""
    path = tmp_path / "ranks.csv"
    results = Results(path, EXPERIMENTS["ranks"].SETTINGS)
    for cell in EXPERIMENTS["ranks"].sweep(150).cells:
        row = cell | {"feasible": 1} | dict.fromkeys(("frobenius", "nuclear", "bound", "fine"), 2)
        results.append(label(cell), [row | {"gap": 0.0}])
    for arguments in (["--report"], []):
        with pytest.raises(SystemExit):
            main(["ranks", "--seeds", "100", "--output", str(path), *arguments])
        message = f"--seeds must be at least what {path} holds, but 100 came and 35 of its cells"
        assert message in capsys.readouterr().err
    assert main(["ranks", "--report", "--output", str(path)]) == 0
    output = capsys.readouterr()
    assert f"105 of 105 cells are in {path}" in output.err
    assert len(output.out.splitlines()) == 1 + 35 + 1
