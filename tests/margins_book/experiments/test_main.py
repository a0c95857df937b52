"""The command: its help, its refusals, a run that is interrupted and goes on."""

import re
import signal
import subprocess

import pytest

from margins_book.chapters import ROOT
from margins_book.experiments import Results, label
from margins_book.experiments.__main__ import main
from margins_book.experiments.catalogue import EXPERIMENTS
from tests.margins_book.experiments.processes import COMMAND, heed_ctrl_c, wait_for_growth
from tests.margins_book.experiments.small_sweep import contents


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
        (["ranks", "--seeds", "30"], "--seeds must be a multiple of the block of 50 problems, but got 30"),
        (["ranks", "--seeds", "0"], "--seeds must be a multiple of the block"),
        (["ranks", "--report", "--output", "no/such/file.csv"], "there is no no/such/file.csv yet"),
        (
            ["ranks", "--workers", "0", "--output", "unused.csv"],
            "workers must be an integer >= 1, but got 0",
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
        message = f"--seeds must be at least what {path} holds, but got 100 and 35 of its cells"
        assert message in capsys.readouterr().err
    assert main(["ranks", "--report", "--output", str(path)]) == 0
    output = capsys.readouterr()
    assert f"105 of 105 cells are in {path}" in output.err
    assert len(output.out.splitlines()) == 1 + 35 + 1
