"""What a change of one page makes of the others, and a build that failed of the next."""

import re

import pytest

from tests.small_book import NOTEBOOK, make_book


def write_three(folder):
    """A book of three pages; the first is left to `build`."""
    contents = "format: jb-book\nroot: page\nchapters: [{file: other}, {file: third}]\n"
    (folder / "_toc.yml").write_text(contents)
    (folder / "other.md").write_text("# First name\n\nText.\n")
    (folder / "third.md").write_text("# Third\n\nText.\n")


@pytest.mark.full
def test_a_new_title_reaches_the_contents_of_pages_that_did_not_change(small_book):
    page = "# A page\n\nText.\n"
    write_three(small_book)
    assert make_book(small_book, page).returncode == 0
    assert "First name" in (small_book / "_build/html/third.html").read_text()
    (small_book / "other.md").write_text("# Second name\n\nText.\n")
    assert make_book(small_book, page).returncode == 0
    contents = (small_book / "_build/html/third.html").read_text()
    assert "Second name" in contents
    assert "First name" not in contents


@pytest.mark.full
def test_a_new_style_or_script_reaches_every_page(small_book):
    write_three(small_book)
    page, site = "# A page\n\nText.\n", small_book / "_build/html"
    assert make_book(small_book, page).returncode == 0
    before = (site / "page.html").read_text()
    for name in ("css/1-base.css", "reader/1-theme.js"):
        with (small_book / "book/theme/margins" / name).open("a") as file:
            file.write("\n/* new */\n" if name.endswith("js") else "\nmain { --new: 1 }\n")
        assert make_book(small_book, page).returncode == 0
        after = (site / "page.html").read_text()
        assert after != before, f"{name}: the page asks for the old one"
        before = after
    assert "/* new */" in (site / "_static/reader.js").read_text()
    assert "--new: 1" in (site / "_static/margins.css").read_text()


EQUATION = "# First name\n\n$$\nx = {}\n$$ (an-equation)\n"
QUOTATION = "# Third\n\n:::{equation} an-equation\nIt reads:\n:::\n"


def done_to(pages, said):
    """The pages that were read, or written, in the order of the build's progress."""
    return re.findall(rf"^{pages}\.\.\. *\[.*\] (\S+)$", said, re.M)


@pytest.mark.full
def test_a_page_that_shows_what_another_says_is_written_again_when_that_changes(small_book):
    write_three(small_book)
    (small_book / "other.md").write_text(EQUATION.format(1))
    (small_book / "third.md").write_text(QUOTATION)
    assert make_book(small_book, "# A page\n\nText.\n").returncode == 0
    prose = make_book(small_book, "# A page\n\nOther text.\n")
    assert done_to("writing output", prose.stdout) == ["page"]
    (small_book / "other.md").write_text(EQUATION.format(2))
    changed = make_book(small_book, "# A page\n\nOther text.\n")
    assert done_to("reading sources", changed.stdout) == ["other", "page"]
    assert done_to("writing output", changed.stdout) == ["other", "page", "third"]
    assert 'data-tex="$$x = 2$$"' in (small_book / "_build/html/third.html").read_text()


@pytest.mark.full
def test_after_an_error_only_what_was_read_then_is_read_again(small_book):
    write_three(small_book)
    sound, failing = (NOTEBOOK + f"```{{code-cell}} python\n{code}\n```\n" for code in ("1 + 1", "1 / 0"))
    assert make_book(small_book, sound).returncode == 0
    (small_book / "third.md").write_text("# Third\n\nNew text.\n")
    assert make_book(small_book, failing).returncode != 0
    mended = make_book(small_book, sound)
    assert mended.returncode == 0, mended.stderr
    assert done_to("reading sources", mended.stdout) == ["page", "third"]
    assert "New text." in (small_book / "_build/html/third.html").read_text()


@pytest.mark.full
def test_a_warning_comes_again_until_its_cause_is_mended(small_book):
    write_three(small_book)
    (small_book / "other.md").write_text("# First name\n\n{ref}`no-such-place`\n")
    page = "# A page\n\nText.\n"
    for _ in range(2):
        assert "no-such-place" in make_book(small_book, page).stderr
    (small_book / "other.md").write_text("# First name\n\nText.\n")
    assert make_book(small_book, page).returncode == 0
