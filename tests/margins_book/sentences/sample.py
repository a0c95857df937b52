"""A page with a sentence in every place, some of them held."""

from margins_book.sentences.holds import read_page

PAGE = """---
title: Nearly all of this is no prose
---
# A page

Everything is nearly right. The share falls by half, e.g. at
$x=1.5$ never. Is it always so?

:::{prf:theorem} Never
:label: svm-thm-sample

It is always so.
:::

```{code-cell} ipython3
@explore(
    n=play(range(3)),
    caption="The curve always "
    "rises. A point.",
    prompts=[
        prompt("Where?", "It never falls.", at={"n": 1}, says="one"),
        prompt("When?", "Always, of course.", holds=lambda f: f.n == 1),
        prompt("How many?", "12 of 60. Most are here.", at={"n": 2}, says="12 of 60 points")],
    holds={"Everything is nearly right": everywhere(lambda f: f.n > 1)})
def curve(n):
    return draw(n), "It is always so."
```

$$
x = \\text{always}
$$

By {prf:ref}`svm-thm-soft` it is always so.

```{code-cell} ipython3
# The text: "The share falls by half ..."
assert 2 * small < large
show(plot(), name="p", caption="A line.", alt=f"A line that never ends at {end}.")
```

## Quiz

::::{admonition} Which is never so?
:class: quiz

1. It is always wrong.
2. It is always right.

:::{admonition} Answers
:class: dropdown

1. No: it never was.
2. Right: that is
   nearly so.
:::
::::

:::{exercise-start} One · prove
:label: svm-one
:::

Show that it is always so. It is never so.

:::{admonition} Hint
:class: dropdown
Never mind.
:::

:::{exercise-end}
:::

:::{solution-start} svm-one
:class: dropdown
:::

It is never so, says the solution.

:::{solution-end}
:::

:::{admonition} Erratum: words
:class: erratum
They say "always". It is never so, says the erratum.
:::

| name | nearly all |
|---|---|
| row | never |

## Summary

1. In most runs it rises.

### In the library

- It is never there.
"""


def sample(folder, *, page=PAGE, reasons=""):
    """The sample as a page that was read."""
    (folder / "page.md").write_text(page, "utf8")
    (folder / "sentences.yml").write_text(reasons, "utf8")
    return read_page(folder / "page.md", folder / "sentences.yml")
