"""A chapter on two tracks: an exercise of the spine, one that refers to excursion A, one that uses B."""

from tests.margins_course.assignments.test_release import SMALL

AGAIN = SMALL[SMALL.index(":::{exercise-start}") :].replace("a-theorem", "more-thm")
AGAIN = AGAIN.replace("Twice", "Again").replace("twice", "again")
EVEN = """\
:::{exercise-start} Even · prove ★
:label: even
% uses: other
:::
Show that twice $n$ is even.
:::{exercise-end}
:::

:::{solution-start} even
:::
By {prf:ref}`more-thm`.

:::{admonition} Rubric
:class: rubric
- 3 points: it is shown.
:::

:::{solution-end}
:::
"""
OPEN = """\
:::{exercise-start} Open · research ★★★★
:label: open
:::
Is {eq}`other-eq` all?

:::{admonition} Rubric
:class: rubric
- 8 points: it is answered.
:::

:::{exercise-end}
:::
"""
EXCURSIONS = """\
(more)=
## More of it

```{excursion} A
```

:::{prf:theorem} Again
:label: more-thm
It holds.
:::

```{code-cell} ipython3
@explore(n=slider(1, 3))
def two_bars(n):
    return n
```

(other)=
## Another thing

```{excursion} B
:uses: more-thm
```

$$
x=y
$$ (other-eq)

## Nothing to do

```{excursion} C
```

Words.

(end)=
## Summary

Words.
"""
TWO_TRACKS = "\n".join([SMALL, AGAIN, EVEN, OPEN, EXCURSIONS])
