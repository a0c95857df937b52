"""Two builds of one source: the same bytes; what differs between two folders is named."""

import shutil

from scripts.publication.reproduce import differences
from tests.small_book import EXPLORABLE, NOTEBOOK, build

CELL = '```{code-cell} python\nprint("a line")\n```\n\n$$x^2$$ {#eq}\n\n'


def test_files_that_differ_or_that_one_folder_lacks_are_named(tmp_path):
    for name, words in (("a", "first"), ("b", "second")):
        folder = tmp_path / name
        (folder / "below").mkdir(parents=True)
        (folder / "same.txt").write_text("same")
        (folder / "below" / "other.txt").write_text(words)
        (folder / f"{name}.txt").write_text("alone")
    assert differences(tmp_path / "a", tmp_path / "b") == ["a.txt", "b.txt", "below/other.txt"]
    assert differences(tmp_path / "a", tmp_path / "a") == []


def test_a_book_built_in_two_folders_has_the_same_bytes(small_book, tmp_path):
    other = tmp_path / "another name"
    shutil.copytree(small_book, other, symlinks=True)
    text = NOTEBOOK + CELL + EXPLORABLE.format(controls="C=slider(1, 9)", body="")
    for folder in (small_book, other):
        done = build(folder, text)
        assert done.returncode == 0, done.stderr
    assert differences(small_book / "_build" / "html", other / "_build" / "html") == []
