"""The command: its help, its refusals, a run, and what it says when it is stopped."""

import pytest

from margins_book.chapters import ROOT
from margins_book.experiments import __main__ as command
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.recorded import read


def test_help_serves_a_newcomer(capsys):
    assert command.main([]) == 0
    text = capsys.readouterr().out
    for words in ("Ctrl-C", "results/NAME.csv", "--seeds 400", *EXPERIMENTS):
        assert words in text
    assert command.main(["several-tokens", "--describe"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("How well does the generalised SVM describe descent")
    assert "suppressed: 1e-06\n" in text
    assert text.endswith("\n47,000 problems\n")


def test_a_run_prints_its_table_and_keeps_the_numbers_of_all_problems(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(EXPERIMENTS["run-classes"].SETTINGS, "iterations", 20)
    folder = tmp_path / "new"
    assert command.main(["run-classes", "--seeds", "50", "--workers", "1", "--output", str(folder)]) == 0
    text = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in text[:6]] == ["d", "2", "4", "8", "16", "64"]
    assert [path.name for path in folder.iterdir()] == ["run-classes.csv"]
    monkeypatch.setattr("margins_book.experiments.recorded.FOLDER", folder)
    assert read("run-classes")[0]["settings"]["iterations"] == 20


REFUSED = [
    ("ranks --seeds 30", "--seeds must be a multiple of the block of 50 problems, but got 30"),
    ("ranks --seeds 0", "--seeds must be a multiple of the block"),
    ("ranks --workers 0", "workers must be an integer >= 1, but got 0"),
    ("nothing", "invalid choice: 'nothing'"),
    ("ranks --output README.md", "README.md"),
    ("paper --seeds 50", "paper has its sizes and its report: it takes no --seeds"),
    ("paper --page no/such/paper.md", "page must lie in a folder that exists, but got no/such/paper.md"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_command_refusals(arguments, message, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as stop:
        command.main(arguments.split())
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_who_stops_it_reads_how_to_go_on(capsys, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", stopped)
    with pytest.raises(SystemExit) as stop:
        command.main(["ranks"])
    assert stop.value.code == 130
    assert "The same line goes on from what waits in results." in capsys.readouterr().err
