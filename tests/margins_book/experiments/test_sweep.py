"""Sweeps: every cell is measured once, on one process, on several and on a cluster that loses a worker."""

import os
import signal

import pytest

from margins_book.experiments import Results, Sweep, label, measured, run
from tests.margins_book.experiments.small_sweep import contents, measure, sweep


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


def test_a_silent_cluster_is_named(monkeypatch):
    import margins_book.experiments.sweep as module

    monkeypatch.setattr(
        module, "CLUSTER_TIMEOUT", "1s"
    )  # there is no parameter; 20 seconds are for real clusters
    with pytest.raises(ValueError, match=r"no Dask scheduler answers at cluster = 'tcp://127\.0\.0\.1:9'"):
        list(measured(sweep(), sweep().cells, cluster="tcp://127.0.0.1:9"))
