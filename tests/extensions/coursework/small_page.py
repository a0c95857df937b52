"""A small chapter with an excursion and an exercise, and what Sphinx would know of it."""

from types import SimpleNamespace

from nbformat.v4 import new_code_cell, new_markdown_cell

PAGE = "chapters/06_small"
BASE = "https://example.org/book/"
START = """(top)=
# A page about $x$

**How does it turn?** Words.

(first)=
## First

:::{prf:theorem} A sum
:label: sum
:words: Twice $x$ is $x$ and $x$.
% uses: old
:nonumber:

For every $x$.
:::

See {prf:ref}`sum`, {prf:ref}`old`, {numref}`ex-turn` and {cite:t}`one1964`, {cite:p}`one1964,many2020`.

```{signpost} aside
How it turns.
```

```{signpost} more
```
"""
EXERCISES = """## Exercises

:::{exercise-start} Do it · code ★
:label: do-it
:::

Write `double(x)`.

:::{exercise-end}
:::

:::{solution-start} do-it
:class: dropdown
:::

Add it to itself.
"""
ASIDE = """(aside)=
## Aside $x$

```{excursion} A
:uses: old, sum
```

Words aside.

### Deeper

## More

```{excursion} B
```
"""


def code(source, *tags, **metadata):
    return new_code_cell(source, metadata={"tags": list(tags), **metadata})


def cells():
    """The cells of the page as jupytext reads them."""
    exercise = {"exercise": "do-it"}
    stub = "def double(x):\n    ### BEGIN SOLUTION\n    return step(x)\n    ### END SOLUTION"
    return [
        new_markdown_cell(START),
        code("import math\nfrom small import checks, figures\n\nbase = 1", "hide-input"),
        code("figures.turn"),
        new_markdown_cell("Then:"),
        code("step = lambda x: math.fsum([x, x])\nunused = 2"),
        new_markdown_cell(EXERCISES),
        code(stub, "solution", **exercise),
        new_markdown_cell(":::{solution-end}\n:::"),
        code("checks.double(double)", "check", **exercise),
        code("assert double(2) == 4", "hidden-check", "remove-cell", **exercise),
        new_markdown_cell(ASIDE),
        code("print(step(base))"),
        new_markdown_cell("Behind it.\n\n## Summary\n\nAll."),
    ]


def work(year, *names):
    people = [SimpleNamespace(prelast_names=[], last_names=[name]) for name in names]
    return SimpleNamespace(persons={"author": people}, fields={"year": year})


def application():
    """What of Sphinx the notebooks ask."""
    times = {
        "sections": {"aside": ("6.A Aside $x$", {}), "more": ("6.B More", {}), "first": ("First", {})},
        "excursions": {"6.A": 11, "6.B": 4},
        "uses": {"6.A": ["old", "sum"], "6.B": []},
    }
    proofs = {
        "old": {"docname": "chapters/05_old", "realtype": "lemma", "countertype": "theorem"},
        "sum": {"docname": PAGE, "realtype": "theorem", "countertype": "theorem"},
    }
    numbers = {
        "chapters/05_old": {"theorem": {"old": (5, 2)}},
        PAGE: {"theorem": {"sum": (6, 1)}, "figure": {"ex-turn": (6, 3)}, "exercise": {"do-it": (6, 1)}},
    }
    works = {"one1964": work("1964", "One"), "many2020": work("2020", "A", "B", "C")}
    domains = {
        "std": SimpleNamespace(anonlabels={"ex-turn": (PAGE, "ex-turn")}, labels={}),
        "math": SimpleNamespace(equations={}),
        "cite": SimpleNamespace(bibdata=SimpleNamespace(data=SimpleNamespace(entries=works))),
    }
    env = SimpleNamespace(
        metadata={PAGE: {"times": times}},
        proof_list=proofs,
        toc_fignumbers=numbers,
        get_domain=domains.__getitem__,
    )
    options = {
        "repository_url": "https://github.com/owner/name",
        "launch_buttons": {"binderhub_url": "https://b.org", "colab_url": "https://c.org/"},
    }
    return SimpleNamespace(env=env, config=SimpleNamespace(html_baseurl=BASE, html_theme_options=options))
