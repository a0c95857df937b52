"""What the build refuses of what results use, on small chapters."""

import pytest
from docutils import nodes
from docutils.utils import new_document

from extensions.pages.declared_uses import faults, read_page, spine_words

FIRST = """# First

:::{prf:theorem} Old
:label: one-thm

$$
x = x
$$ (one-same)
:::

(one-exc)=
## Aside

```{excursion} A
```

:::{prf:lemma} Aside
:label: one-lem
:::
"""
SECOND = """# Second

```{code-cell} ipython3
:tags: [hide-input]

base = 1
```

:::{prf:definition} Thing
:label: two-def
:::

:::{prf:theorem} Good
:label: two-thm
% uses: one-thm, two-def

By {prf:ref}`two-def`,

$$
y = y
$$ (two-own)
:::

:::{prf:proof}
By {eq}`one-same` and {eq}`two-own`, see {ref}`here <two-thm>`.
:::

```{code-cell} ipython3
assert base == 1
```

:::{prf:theorem} Last
:label: two-last
:::

(two-exc)=
## More

```{excursion} B
:uses: two-thm
```

:::{prf:theorem} Further
:label: two-more
% uses: one-exc, two-last
:::

```{code-cell} ipython3
lent = base + 1
lent
```
"""


@pytest.fixture
def refused(tmp_path):
    """A function that changes the second chapter and gives what is refused, without the folder's name."""

    def run(before="", after=""):
        assert before in SECOND
        for name, text in (("01_first", FIRST), ("02_second", SECOND.replace(before, after, 1))):
            (tmp_path / f"{name}.md").write_text(text)
        pages = [read_page(path) for path in sorted(tmp_path.glob("*.md"))]
        return [said.removeprefix(f"{tmp_path}/") for said in faults(pages)]

    return run


def test_a_chapter_that_keeps_the_rules_is_let_through(refused):
    assert refused() == []


@pytest.mark.parametrize(
    ("used", "said"),
    [
        ("one-thm", "17: two-thm refers to 'two-def'; add two-def to its `% uses:`"),
        # a formula of another result is a reference to it, in a proof too
        ("two-def", "25: two-thm refers to 'one-same'; add one-thm to its `% uses:`"),
    ],
)
def test_a_reference_that_is_not_declared_is_refused(refused, used, said):
    assert refused("% uses: one-thm, two-def", f"% uses: {used}") == [f"02_second.md:{said}"]


@pytest.mark.parametrize(
    ("used", "said"),
    [
        ("one-lem", "two-thm uses 'one-lem' of excursion A; no result of the spine may"),
        ("two-exc", "two-thm uses 'two-exc' of excursion B; no result of the spine may"),
        ("two-more", "two-thm uses 'two-more' of excursion B; no result of the spine may"),
        ("two-last", "two-thm uses 'two-last', which comes later; move one of them"),
        ("two-none", "two-thm uses 'two-none', the label of no result or excursion"),
    ],
)
def test_a_result_of_the_spine_uses_what_stands_before_it_in_the_spine(refused, used, said):
    assert refused("% uses: one-thm, two-def", f"% uses: one-thm, two-def, {used}") == [
        f"02_second.md:13: {said}"
    ]


def test_a_cell_of_the_spine_reads_no_name_of_an_excursion(refused):
    assert refused("assert base == 1", "assert lent == 2") == [
        "02_second.md:28: the cell reads 'lent', which only excursion B defines (line 48); "
        "define it in the spine"
    ]


def words(number):
    return nodes.paragraph("", "word " * number)


def test_words_of_the_spine_are_those_of_a_lecture():
    page = new_document("page")
    formula = nodes.paragraph("", "", nodes.Text("of "), nodes.math("", "a + b"), nodes.Text(", "))
    proof = nodes.admonition("", words(100), classes=["proof", "dropdown"])
    erratum = nodes.admonition("", words(100), classes=["erratum"])
    apart = [nodes.literal_block("", "code " * 9), nodes.math_block("", "a b"), proof, erratum]
    quiz = nodes.section("", words(100), ids=["quiz"])
    excursion = nodes.section("", words(100), ids=["x"], excursion="6.A")
    solution = nodes.literal_block("", "")
    solution.children.append(nodes.Text("code " * 9))  # as solutions of exercises are gathered: no parent
    page += nodes.section("", words(10), formula, solution, *apart, quiz, excursion, ids=["page"])
    assert spine_words(page) == 12
