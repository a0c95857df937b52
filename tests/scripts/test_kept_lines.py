"""Saving chapters through the contents managers of JupyterLab: what was not edited stays, byte for byte."""

import asyncio
import logging
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jupytext
import pytest
from jupytext.async_contentsmanager import build_async_jupytext_contents_manager_class

from scripts.kept_lines import KeptLines, carried_over

CHAPTERS = sorted((Path(__file__).parents[2] / "chapters").glob("*.md"))
OF_KERNEL = {
    "language_info": {"name": "python", "version": "3.12.1", "pygments_lexer": "ipython3"},
    "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
}
PAGE = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
myst:
  html_meta:
    description: "A description that is so long that a writer of YAML would break it: here, or there, or not."
---

# A page

Words.
```{code-cell} ipython3
:tags: [hide-input]

x = 1
```
<!-- figure: x=1 -->


More words.

```{code-cell} ipython3
x + 1
```

"""


EDITS = [("x = 1", "x = 2"), ("More words.", "Other words."), ("Words.", "Words.\n\nNew.")]


def ran(coroutine):
    """What a coroutine gives, in a thread without the event loop of another test's browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def save(folder, name, change=lambda cells: None):
    """Opens a file as a notebook, changes its cells, and saves it as JupyterLab does after a run."""
    manager = build_async_jupytext_contents_manager_class(KeptLines)(root_dir=str(folder))
    manager.log = logging.getLogger("quiet")
    content = ran(manager.get(name, type="notebook", content=True))["content"]
    content["metadata"].update(OF_KERNEL)
    for cell in content["cells"]:
        cell["metadata"]["trusted"] = True
        if cell["cell_type"] == "code":
            cell["execution_count"] = 3
    change(content["cells"])
    ran(manager.save({"type": "notebook", "format": "json", "content": content}, name))
    return (folder / name).read_text("utf8")


@pytest.fixture
def page(tmp_path):
    (tmp_path / "page.md").write_text(PAGE)
    return tmp_path


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_that_is_not_edited_stays_as_it_is(chapter, tmp_path):
    shutil.copy(chapter, tmp_path)
    assert save(tmp_path, chapter.name) == chapter.read_text("utf8")


def test_a_page_of_any_layout_stays_as_it_is(page):
    assert save(page, "page.md") == PAGE


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edit_changes_its_own_lines(page, old, new):
    def change(cells):
        (cell,) = (one for one in cells if old in one["source"].split("\n"))
        cell["source"] = cell["source"].replace(old, new)

    assert save(page, "page.md", change) == PAGE.replace(f"\n{old}\n", f"\n{new}\n", 1)


def test_a_cell_that_is_deleted_is_gone_and_nothing_else(page):
    def change(cells):
        cells[1:2] = []

    saved = save(page, "page.md", change)
    assert [cell.source for cell in jupytext.reads(saved, "md:myst").cells] == [
        "# A page\n\nWords.",
        "<!-- figure: x=1 -->\n\n\nMore words.",
        "x + 1",
    ]
    assert saved.startswith(PAGE.partition("Words.")[0])


def test_text_of_an_editor_is_saved_as_it_is(page):
    manager = KeptLines(root_dir=str(page))
    model = {"type": "file", "format": "text", "content": PAGE.replace("Words", "Other")}
    ran(manager.save(model, "page.md"))
    assert (page / "page.md").read_text() == model["content"]


def test_edits_stand_where_the_layout_has_their_lines():
    assert carried_over(["a", "b", "", "", "c"], ["a", "", "b", "", "c"], ["a", "", "B", "", "c", "d"]) == [
        "a", "B", "", "", "c", "d",
    ]  # fmt: skip
    assert carried_over(["a", "", "b"], ["a", "b"], ["a", "new", "b"]) == ["a", "new", "", "b"]
