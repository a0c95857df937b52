"""The sources of chapters in JupyterLab, `make lab SOURCE=1`: saved, they stay as they are."""

import shutil

import pytest

from tests.laboratory import NOTEBOOK, ROOT, jupyterlab

CHAPTER = "11_errata_and_open_questions.md"
SAVE = """async () => {
    const saved = await jupyterapp.commands.execute('docmanager:save');
    return document.querySelectorAll('.jp-Dialog').length;
}"""


@pytest.fixture
def chapters(tmp_path):
    folder = tmp_path / "chapters"
    folder.mkdir()
    shutil.copy(ROOT / "chapters" / CHAPTER, folder)
    return folder


@pytest.mark.full
def test_saving_changes_no_line(browser, chapters):
    before = (chapters / CHAPTER).read_bytes()
    written = (chapters / CHAPTER).stat().st_mtime_ns
    with jupyterlab(chapters, settings=ROOT / "book" / "jupyter" / "author") as address:
        page = browser.new_page()
        page.goto(address(CHAPTER))
        page.wait_for_selector(f"{NOTEBOOK} .jp-Cell", timeout=60_000)
        page.wait_for_selector(f'{NOTEBOOK} [data-status="idle"]', timeout=60_000)
        assert page.evaluate(SAVE) == 0
        page.close()
    assert (chapters / CHAPTER).stat().st_mtime_ns > written
    assert (chapters / CHAPTER).read_bytes() == before
