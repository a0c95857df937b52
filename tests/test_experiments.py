"""Sweeps that are interrupted, resumed, sent to a cluster and robbed of a worker."""

import io
import os
import signal

import numpy as np
import pytest
from distributed import Client, LocalCluster
from numpy.testing import assert_array_equal

from margins.experiments import Results, Sweep, label, measured, run
from margins.experiments.progress import Progress


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
    return sorted(tuple(row.items()) for row in results.rows)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The results of the sweep, and the text of their file."""
    path = tmp_path_factory.mktemp("whole") / "toy.csv"
    return run(sweep(), path, workers=1, show=False), path.read_text()


def test_every_cell_is_measured_once(whole):
    results, _ = whole
    assert len(results.rows) == 3 * 16
    table = results.table()
    assert {name: column.dtype.kind for name, column in table.items()} == {
        "cell": "U",
        "rows": "i",
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
    assert text.startswith('# {"draws": 1000}\ncell,rows,n,seed,k,mean\n')


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


def test_a_cluster_that_loses_a_worker_loses_no_cell(tmp_path):
    """One of three worker processes is killed after the first results; every cell is still there once."""
    long = sweep(seeds=6, draws=1_000_000)
    results = Results(tmp_path / "toy.csv", long.settings)
    with (
        LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        processes = client.run(os.getpid)
        for cell, rows in measured(long, long.cells, cluster=cluster.scheduler_address):
            results.append(label(cell), rows)
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
    with pytest.raises(ValueError, match=r"the columns of .* are \['cell', 'rows', 'x'\], but a row with"):
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
