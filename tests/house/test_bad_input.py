"""A fault in a page stops the build with a message that names the page, the place and the remedy."""

import pytest

from tests.house.conftest import build

NOTEBOOK = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
# A page

A first paragraph that is long enough to describe the page.

"""
EXPLORABLE = """```{{code-cell}} python
from margins.explore import Drawing, choice, explore, slider

@explore(caption="A figure.", {controls})
def moving(C):
    {body}
    drawing = Drawing()
    drawing.panel("plane", xlim=(0, 1), ylim=(0, 1))
    return drawing, "A sentence."
```
"""


def refused(folder, text):
    """What the build says on the error stream when it refuses the page."""
    result = build(folder, text)
    assert result.returncode != 0
    assert "Traceback" not in result.stderr
    assert "Mend that and run `make book` again" in result.stderr
    return result.stderr


def test_sound_page_is_built(small_book):
    result = build(small_book, NOTEBOOK + EXPLORABLE.format(controls="C=slider(0, 1, steps=49)", body="pass"))
    assert result.returncode == 0, result.stderr
    assert 'id="ex-moving"' in (small_book / "_build/html/page.html").read_text()


def test_failing_cell(small_book):
    message = refused(small_book, NOTEBOOK + "```{code-cell} python\nmargin = 1 / 0\n```\n")
    assert "page.md: this cell failed" in message
    assert "margin = 1 / 0" in message
    assert "ZeroDivisionError: division by zero" in message


@pytest.mark.parametrize(
    ("controls", "body", "words"),
    [
        (
            "C=slider(0, 1, steps=7)",
            "pass",
            ["slider C has 7 steps of at least 49", "make it a choice or a play"],
        ),
        ("C=choice()", "pass", ["at least one value"]),
        ("C=slider(0, 1, steps=49)", "raise RuntimeError('no solution')", ["no solution", "C=0.5"]),
    ],
    ids=["over budget", "empty grid", "raising"],
)
def test_faulty_explorable(small_book, controls, body, words):
    message = refused(small_book, NOTEBOOK + EXPLORABLE.format(controls=controls, body=body))
    assert "page.md: this cell failed" in message
    for word in words:
        assert word in message


def test_unknown_option_missing_target_and_bad_formula(small_book):
    theorem = "```{prf:theorem} T\n:wrong: option\n:label: thm\nText\n```\n"
    page = f"# A page\n\n{theorem}\nSee {{eq}}`nowhere` and $\\frac{{1$.\n"
    message = refused(small_book, page)
    assert "page.md:3: WARNING: 'prf:theorem': Unknown option keys: ['wrong']" in message
    assert "page.md:9: WARNING: equation not found: nowhere" in message
    assert r"cannot set the formula '\\frac{1'" in message


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
