"""A fault in a page stops the build with a message that names the page, the place and the remedy."""

import re
import shutil

import pytest

from tests.small_book import EXPLORABLE, NOTEBOOK, differences, make_book


def refused(folder, text):
    """What the build says on the error stream when it refuses the page."""
    result = make_book(folder, text)
    assert result.returncode != 0
    assert "Traceback" not in result.stderr
    assert "Mend that and run `make book` again" in result.stderr
    return result.stderr


OWN_FONTS = """```{code-cell} python
import matplotlib
assert matplotlib.get_cachedir().endswith("_build/matplotlib")
```
"""


@pytest.mark.full
def test_a_book_built_in_two_folders_has_the_same_bytes(small_book, tmp_path):
    """A sound page is built, whatever list of fonts matplotlib has kept in the home folder."""
    other = tmp_path / "another name"
    shutil.copytree(small_book, other, symlinks=True, ignore=shutil.ignore_patterns("_build"))
    cell = '```{code-cell} python\nprint("a line")\n```\n\n$$x^2$$ {#eq}\n\n'
    text = NOTEBOOK + OWN_FONTS + cell + EXPLORABLE.format(controls="C=slider(0, 1, steps=49)", body="pass")
    for folder in (small_book, other):
        done = make_book(folder, text)
        assert done.returncode == 0, done.stderr
    assert 'id="ex-moving"' in (small_book / "_build" / "html" / "page.html").read_text()
    assert differences(small_book / "_build" / "html", other / "_build" / "html") == []


FAULTY = {  # by page what its only cell is
    "failing": "```{code-cell} python\nmargin = 1 / 0\n```\n",
    "over_budget": EXPLORABLE.format(controls="C=slider(0, 1, steps=7)", body="pass"),
    "empty_grid": EXPLORABLE.format(controls="C=choice()", body="pass"),
    "raising": EXPLORABLE.format(
        controls="C=slider(0, 1, steps=49)", body="raise RuntimeError('no solution')"
    ),
}


@pytest.fixture(scope="module")
def said_of(small_book):
    """By page what the build says when all of these refuse."""
    contents = (small_book / "_toc.yml").read_text()
    files = ", ".join(f"{{file: {name}}}" for name in FAULTY)
    (small_book / "_toc.yml").write_text(f"{contents}chapters: [{files}]\n")
    for name, cell in FAULTY.items():
        (small_book / f"{name}.md").write_text(NOTEBOOK + cell)
    parts = re.split(r"(\w+)\.md: this cell failed\n", refused(small_book, "# A page\n\nText.\n"))
    (small_book / "_toc.yml").write_text(contents)
    for name in FAULTY:
        (small_book / f"{name}.md").unlink()
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("failing", ["margin = 1 / 0", "ZeroDivisionError: division by zero"]),
        ("over_budget", ["slider C has 7 steps of at least 49", "make it a choice or a play"]),
        ("empty_grid", ["at least one value"]),
        ("raising", ["no solution", "C=0.5"]),
    ],
)
def test_a_cell_that_cannot_be_run_or_drawn(said_of, page, words):
    for word in words:
        assert word in said_of[page]


@pytest.mark.full
def test_unknown_option_missing_target_and_bad_formula(small_book):
    theorem = "```{prf:theorem} T\n:wrong: option\n:label: thm\nText\n```\n"
    page = f"# A page\n\n{theorem}\nSee {{eq}}`nowhere` and $\\frac{{1$.\n"
    message = refused(small_book, page)
    assert "page.md:3: WARNING: 'prf:theorem': Unknown option keys: ['wrong']" in message
    assert "page.md:9: WARNING: equation not found: nowhere" in message
    assert r"cannot set the formula '\\frac{1'" in message


@pytest.mark.full
def test_missing_front_end_file(small_book):
    packages = small_book / "book/frontend/node_modules"
    target = packages.readlink()
    packages.unlink()
    try:
        message = refused(small_book, "# A page\n\nText.\n")
    finally:
        packages.symlink_to(target)
    assert "front-end file missing:" in message
    assert "`make book` fetches it from npm" in message
