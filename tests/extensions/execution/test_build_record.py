"""What a change of one page makes of the others, and a build that failed of the next."""

import re

import pytest

from tests.small_book import NOTEBOOK, make_book

PAGE = "# A page\n\nText.\n"


@pytest.fixture
def three(small_book):
    """The folder of a book of three pages, of which the first is left to `make_book`."""
    contents = "format: jb-book\nroot: page\nchapters: [{file: other}, {file: third}]\n"
    (small_book / "_toc.yml").write_text(contents)
    (small_book / "other.md").write_text("# First name\n\nText.\n")
    (small_book / "third.md").write_text("# Third\n\nText.\n")
    return small_book


@pytest.mark.full
def test_a_new_title_style_or_script_reaches_pages_that_did_not_change(three):
    assert make_book(three, PAGE).returncode == 0
    assert "First name" in (three / "_build/html/third.html").read_text()
    (three / "other.md").write_text("# Second name\n\nText.\n")
    assert make_book(three, PAGE).returncode == 0
    contents = (three / "_build/html/third.html").read_text()
    assert "Second name" in contents
    assert "First name" not in contents
    site = three / "_build/html"
    assert make_book(three, PAGE).returncode == 0
    before = (site / "page.html").read_text()
    for name in ("css/1-base.css", "reader/1-theme.js"):
        with (three / "book/theme/margins" / name).open("a") as file:
            file.write("\n/* new */\n" if name.endswith("js") else "\nmain { --new: 1 }\n")
        assert make_book(three, PAGE).returncode == 0
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
def test_a_page_that_shows_what_another_says_is_written_again_when_that_changes(three):
    (three / "other.md").write_text(EQUATION.format(1))
    (three / "third.md").write_text(QUOTATION)
    assert make_book(three, PAGE).returncode == 0
    prose = make_book(three, "# A page\n\nOther text.\n")
    assert done_to("writing output", prose.stdout) == ["page"]
    (three / "other.md").write_text(EQUATION.format(2))
    changed = make_book(three, "# A page\n\nOther text.\n")
    assert done_to("reading sources", changed.stdout) == ["other", "page"]
    assert done_to("writing output", changed.stdout) == ["other", "page", "third"]
    assert 'data-tex="$$x = 2$$"' in (three / "_build/html/third.html").read_text()


@pytest.mark.full
def test_after_an_error_only_what_was_read_then_is_read_again(three):
    sound, failing = (NOTEBOOK + f"```{{code-cell}} python\n{code}\n```\n" for code in ("1 + 1", "1 / 0"))
    assert make_book(three, sound).returncode == 0
    (three / "third.md").write_text("# Third\n\nNew text.\n")
    assert make_book(three, failing).returncode != 0
    mended = make_book(three, sound)
    assert mended.returncode == 0, mended.stderr
    assert done_to("reading sources", mended.stdout) == ["page", "third"]
    assert "New text." in (three / "_build/html/third.html").read_text()


@pytest.mark.full
def test_a_warning_comes_again_until_its_cause_is_mended(three):
    (three / "other.md").write_text("# First name\n\n{ref}`no-such-place`\n")
    for _ in range(2):
        assert "no-such-place" in make_book(three, PAGE).stderr
    (three / "other.md").write_text("# First name\n\nText.\n")
    assert make_book(three, PAGE).returncode == 0
