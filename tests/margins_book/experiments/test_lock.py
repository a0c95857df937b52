"""The lock on a file of results: one process at a time adds to it."""

import fcntl

import pytest

from margins_book.experiments import run
from margins_book.experiments.lock import locked
from tests.margins_book.experiments.small_sweep import sweep


def test_a_file_is_locked_by_one_process_at_a_time(whole, tmp_path):
    path = tmp_path / "new" / "toy.csv"
    with locked(path):
        with pytest.raises(ValueError, match=r"another process is adding to .*toy\.csv: wait for its end"):
            run(sweep(), path, workers=1, show=False)
        run(sweep(seeds=1), tmp_path / "other.csv", workers=1, show=False)
    assert not list(path.parent.iterdir())
    with locked(path):
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
    with locked(tmp_path / "toy.csv"):
        assert len(asked) == 2
        assert path.exists()
