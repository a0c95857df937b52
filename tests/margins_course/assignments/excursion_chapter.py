"""A chapter on two tracks: an exercise of the spine, one that refers to excursion A, one that uses B."""

from tests.margins_course.assignments.test_release import SMALL
from tests.margins_course.chapter_text import rubric, solved, stated

AGAIN = SMALL[SMALL.index(":::{exercise-start}") :].replace("a-theorem", "more-thm")
AGAIN = AGAIN.replace("Twice", "Again").replace("twice", "again")
EVEN = stated("even", "Even · prove ★", "Show that twice $n$ is even.", "% uses: other\n")
EVEN += solved("even", "By {prf:ref}`more-thm`.\n\n" + rubric("3 points: it is shown.") + "\n")
OPEN_RUBRIC = rubric("8 points: it is answered.")
OPEN = stated("open", "Open · research ★★★★", f"Is {{eq}}`other-eq` all?\n\n{OPEN_RUBRIC}")
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
