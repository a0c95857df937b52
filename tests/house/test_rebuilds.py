"""What a change of one page makes of the others."""

from tests.house.conftest import build


def write_three(folder):
    """A book of three pages; the first is left to `build`."""
    contents = "format: jb-book\nroot: page\nchapters: [{file: other}, {file: third}]\n"
    (folder / "_toc.yml").write_text(contents)
    (folder / "other.md").write_text("# First name\n\nText.\n")
    (folder / "third.md").write_text("# Third\n\nText.\n")


def test_a_new_title_reaches_the_contents_of_pages_that_did_not_change(small_book):
    page = "# A page\n\nText.\n"
    write_three(small_book)
    assert build(small_book, page).returncode == 0
    assert "First name" in (small_book / "_build/html/third.html").read_text()
    (small_book / "other.md").write_text("# Second name\n\nText.\n")
    assert build(small_book, page).returncode == 0
    contents = (small_book / "_build/html/third.html").read_text()
    assert "Second name" in contents
    assert "First name" not in contents


def test_a_new_style_or_script_reaches_every_page(small_book):
    write_three(small_book)
    page, site = "# A page\n\nText.\n", small_book / "_build/html"
    assert build(small_book, page).returncode == 0
    before = (site / "page.html").read_text()
    for name in ("css/1-base.css", "static/reader.js"):
        with (small_book / "book/theme/margins" / name).open("a") as file:
            file.write("\n/* new */\n" if name.endswith("js") else "\nmain { --new: 1 }\n")
        assert build(small_book, page).returncode == 0
        after = (site / "page.html").read_text()
        assert after != before, f"{name}: the page asks for the old one"
        before = after
    assert "/* new */" in (site / "_static/reader.js").read_text()
    assert "--new: 1" in (site / "_static/margins.css").read_text()
