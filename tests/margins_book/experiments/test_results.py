"""The file of results: plain, complete after any interruption, refused where it is of something else."""

import io

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margins_book.experiments import Results, run
from tests.margins_book.experiments.small_sweep import contents, sweep


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


def test_a_cell_that_was_written_twice_counts_once(whole, tmp_path):
    results, text = whole
    path = tmp_path / "toy.csv"
    lines = text.splitlines(keepends=True)
    path.write_text("".join(lines + lines[5:8]))
    assert contents(Results(path, {"draws": 1000})) == contents(results)


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
