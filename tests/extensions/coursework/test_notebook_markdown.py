"""The Markdown of a published notebook: signposts, words and excursions as any program shows them."""

from types import SimpleNamespace

import nbformat
import pytest

from extensions.coursework.notebook_markdown import COLLAPSED, TAG, for_programs

PAGE = "chapters/06_small"
PROOFS = {
    "old": {"docname": PAGE, "realtype": "theorem", "countertype": "theorem"},
    "new": {"docname": PAGE, "realtype": "lemma", "countertype": "theorem"},
}
TIMES = {
    "sections": {"aside": ("6.A Aside $x$", {}), "more": ("6.B More", {}), "first": ("First", {})},
    "excursions": {"6.A": 11, "6.B": 4},
    "uses": {"6.A": ["old", "new"], "6.B": []},
}
ENV = SimpleNamespace(
    metadata={PAGE: {"times": TIMES}},
    proof_list=PROOFS,
    toc_fignumbers={PAGE: {"theorem": {"old": (6, 1), "new": (6, 2)}}},
)
START = """# A page

Words.

(first)=
## First

:::{prf:theorem} A sum
:label: sum
:words: Twice $x$ is $x$ and $x$.
% uses: old
:nonumber:

For every $x$.
:::

```{signpost} aside
How it turns.
```

```{signpost} more
```

## Exercises

```{exercise-start} Do it · prove ★
:label: do-it
```
"""
ASIDE = """Its end.

(aside)=
## Aside $x$

```{excursion} A
:uses: old, new
```

Words aside.

### Deeper

## More

```{excursion} B
```
"""


@pytest.fixture
def cells():
    code = nbformat.v4.new_code_cell
    kept = code("x = 1", metadata={"tags": ["hide-input"]})
    written = [
        nbformat.v4.new_markdown_cell(START),
        code("start"),
        nbformat.v4.new_markdown_cell(ASIDE),
        kept,
        nbformat.v4.new_markdown_cell("Behind it.\n\n## Summary\n\nAll."),
    ]
    return list(for_programs(ENV, PAGE, written))


def test_sentences_stand_for_what_only_the_site_knows(cells):
    text = "\n".join(cell.source for cell in cells)
    for directive in ("{signpost}", "{excursion}", ":words:", "% uses", ":uses:"):
        assert directive not in text
    assert ":label: sum\n:nonumber:\n\n*Twice $x$ is $x$ and $x$.*\n\nFor every $x$." in text
    assert "**6.A** How it turns. 11 min, uses Theorem 6.1 and Lemma 6.2." in text
    assert "**6.B** More. 4 min." in text
    assert "{exercise-start} Do it" in text  # what other tools know stays


def test_excursions_stand_last_with_nothing_lost(cells):
    first = [cell.source.partition("\n")[0] for cell in cells]
    assert first == [
        "# A page",
        "(first)=",
        "## Exercises",
        "start",
        "Its end.",
        "## Summary",
        "(aside)=",
        "Words aside.",
        "## 6.B More",
        "x = 1",
        "Behind it.",
    ]


def test_the_heading_of_an_excursion_is_collapsed_over_its_tagged_cells(cells):
    collapsed = [cell for cell in cells if cell.metadata.get(COLLAPSED)]
    assert [cell.source for cell in collapsed] == [
        "(aside)=\n## 6.A Aside $x$\n\n*Excursion 6.A. 11 min, uses Theorem 6.1 and Lemma 6.2. "
        "Nothing in the spine uses it.*",
        "## 6.B More\n\n*Excursion 6.B. 4 min. Nothing in the spine uses it.*",
    ]
    tagged = [TAG in cell.metadata.get("tags", []) for cell in cells]
    assert tagged == [False] * 6 + [True] * 5
    assert next(cell for cell in cells if cell.source == "x = 1").metadata["tags"] == ["hide-input", TAG]
