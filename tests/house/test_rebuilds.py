"""What a change of one page makes of the others."""

from tests.house.conftest import build


def test_a_new_title_reaches_the_contents_of_pages_that_did_not_change(small_book):
    contents = "format: jb-book\nroot: page\nchapters: [{file: other}, {file: third}]\n"
    (small_book / "_toc.yml").write_text(contents)
    (small_book / "other.md").write_text("# First name\n\nText.\n")
    (small_book / "third.md").write_text("# Third\n\nText.\n")
    page = "# A page\n\nText.\n"
    assert build(small_book, page).returncode == 0
    assert "First name" in (small_book / "_build/html/third.html").read_text()
    (small_book / "other.md").write_text("# Second name\n\nText.\n")
    assert build(small_book, page).returncode == 0
    contents = (small_book / "_build/html/third.html").read_text()
    assert "Second name" in contents
    assert "First name" not in contents
