"""Pages that run side by side: the same as one after the other, and all failures at the end."""

import re
import shutil

import nbformat
import pytest

from extensions.execution.run_pages import Page, new_client, run
from tests.small_book import EXPLORABLE, NOTEBOOK, make_book

CELLS = {
    "page": EXPLORABLE.format(controls="C=slider(0, 1, steps=49)", body="pass"),
    "second": "```{code-cell} python\nimport numpy as np\nnp.sqrt(np.arange(3))\n```\n",
    "third": EXPLORABLE.format(controls="C=choice('a', 'b')", body="C = 1").replace("moving", "choosing"),
}


@pytest.fixture(scope="module")
def book_of_three(small_book):
    """The small book with three pages that run."""
    contents = "format: jb-book\nroot: page\nchapters: [{file: second}, {file: third}]\n"
    (small_book / "_toc.yml").write_text(contents)
    write(small_book, CELLS)
    return small_book


# the thread that sends what a cell shows waits longer than nbclient, and the cell does not wait for it
LATE = """\
import sys, time
sys.stdout.flush_timeout = sys.stderr.flush_timeout = 0
get_ipython().kernel.iopub_thread.io_loop.add_callback(time.sleep, 5)
1 + 1"""


def write(folder, cells):
    for page, code in cells.items():
        (folder / f"{page}.md").write_text(NOTEBOOK + code)


def built(folder, monkeypatch, cores):
    """What the build said, and the pages it wrote."""
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", str(cores))
    result = make_book(folder, NOTEBOOK + CELLS["page"])
    assert result.returncode == 0, result.stderr
    return result.stdout, {page: (folder / "_build/html" / f"{page}.html").read_bytes() for page in CELLS}


def forget_outputs(folder):
    shutil.rmtree(folder / "_build")


@pytest.mark.full
def test_side_by_side_shows_what_one_after_the_other_shows(book_of_three, monkeypatch):
    said, together = built(book_of_three, monkeypatch, 2)
    assert len(re.findall(r"^\[run\] \w+: done in \d+ s \(\d of 3\)$", said, re.M)) == 3
    assert re.search(r"^\[run\] slowest: \w+ \(\d+ s\), ", said, re.M)
    assert "local CWD" not in (book_of_three / "_build/build.log").read_text()  # MyST-NB found all outputs
    said, again = built(book_of_three, monkeypatch, 2)
    assert "[run]" not in said
    assert again == together
    forget_outputs(book_of_three)
    assert built(book_of_three, monkeypatch, 1)[1] == together
    forget_outputs(book_of_three)
    settings = book_of_three / "_config.yml"
    settings.write_text(settings.read_text().replace("execute_notebooks: cache", "execute_notebooks: force"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert built(book_of_three, monkeypatch, 1)[1] == together  # as MyST-NB runs them by itself
    settings.write_text(settings.read_text().replace("execute_notebooks: force", "execute_notebooks: cache"))


@pytest.mark.full
def test_all_failures_are_named_and_what_ran_is_kept(book_of_three):
    bad = "```{code-cell} python\nmargin = 1 / 0\n```\n"
    write(book_of_three, {"second": bad, "third": bad.replace("1 / 0", "street")})
    sound = NOTEBOOK + CELLS["page"] + "\n```{code-cell} python\n1 + 1\n```\n"
    result = make_book(book_of_three, sound)
    assert result.returncode != 0
    assert "Traceback" not in result.stderr
    assert re.search(r"second\.md: this cell failed\n +margin = 1 / 0\n +ZeroDivisionError", result.stderr)
    assert re.search(r"third\.md: this cell failed\n +margin = street\n +NameError", result.stderr)
    assert re.search(r"^\[run\] page: done", result.stdout, re.M)
    write(book_of_three, CELLS)
    write(book_of_three, {"second": CELLS["second"], "third": "```{code-cell} python\n2 + 2\n```\n"})
    mended = make_book(book_of_three, sound)
    assert mended.returncode == 0, mended.stderr
    assert "[run] page: cached" in mended.stdout
    assert "[run] third: done" in mended.stdout


@pytest.mark.full
def test_a_page_may_ask_for_more_time_and_a_cell_that_takes_longer_is_named(book_of_three):
    patient = NOTEBOOK.replace("kernelspec:", "mystnb: {execution_timeout: 1}\nkernelspec:")
    result = make_book(book_of_three, patient + "```{code-cell} python\nwhile True:\n    pass\n```\n")
    assert "page.md: a cell took longer than 1 s; it begins\n    while True:" in result.stderr


@pytest.mark.full
def test_an_output_that_comes_late_is_waited_for(tmp_path):
    """As on a busy machine: the cell is done, and what it shows is still on its way."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LATE)])
    page = Page("late", tmp_path / "late.md", notebook, {"timeout": 60}, tmp_path)
    _, failure = run(page, new_client(page))
    assert failure is None
    assert [output["data"]["text/plain"] for output in notebook.cells[0].outputs] == ["2"]
