"""The notebooks that `make lab` opens: new ones come, what a reader wrote stays."""

import json

import pytest

from scripts.own_notebooks import renew


def write(path, source, **more):
    cell = {"cell_type": "code", "source": source, **more}
    path.write_text(json.dumps({"cells": [cell]}))


def source(path):
    return json.loads(path.read_text())["cells"][0]["source"]


@pytest.fixture
def folders(tmp_path):
    """The built notebook and the reader's copy of it."""
    made, own = tmp_path / "made", tmp_path / "own"
    made.mkdir()
    write(made / "a.ipynb", "x = 1")
    assert renew(made, own) == []
    assert source(own / "a.ipynb") == "x = 1"
    return made, own


def test_a_notebook_that_was_only_run_keeps_its_outputs_until_the_book_has_a_newer_one(folders):
    made, own = folders
    write(own / "a.ipynb", ["x = ", "1"], outputs=[1], execution_count=3)
    assert renew(made, own) == []
    assert "outputs" in (own / "a.ipynb").read_text()
    write(made / "a.ipynb", "x = 2")
    assert renew(made, own) == []
    assert source(own / "a.ipynb") == "x = 2"


@pytest.mark.parametrize("theirs", ["x = 3", None])
def test_one_that_was_changed_is_kept_and_named(folders, theirs):
    made, own = folders
    write(own / "a.ipynb", theirs) if theirs else (own / "a.ipynb").write_text("no notebook")
    before = (own / "a.ipynb").read_text()
    write(made / "a.ipynb", "x = 2")
    assert renew(made, own) == renew(made, own) == ["a.ipynb"]
    assert (own / "a.ipynb").read_text() == before


def test_one_that_is_deleted_comes_again(folders):
    made, own = folders
    (own / "a.ipynb").unlink()
    assert renew(made, own) == []
    assert source(own / "a.ipynb") == "x = 1"
