"""Small chapters for tests, put together from a heading, exercises and cells."""

HEAD = """\
---
kernelspec:
  display_name: Python 3
  name: python3
---
# {}

```{{code-cell}} ipython3
{}
```
"""


def head(title, setup):
    """The beginning of a chapter: its title and the cell that sets it up."""
    return HEAD.format(title, setup)


def cell(tags, label, source, points=None):
    options = [f":tags: [{tags}]", f":exercise: {label}", *([f":points: {points}"] if points else [])]
    return "\n```{code-cell} ipython3\n" + "\n".join(options) + f"\n\n{source}\n```\n"


def stated(label, heading, text, option=""):
    """An exercise without its solution."""
    start = f":::{{exercise-start}} {heading}\n:label: {label}\n{option}:::"
    return f"\n{start}\n{text}\n\n:::{{exercise-end}}\n:::\n"


def coded(label, text, body, visible, hidden):
    """An exercise in code with a solution and two checks, each as points and source."""
    solution = f"def {label}(x):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION"
    return (
        stated(label, f"{label.title()} · code", text)
        + cell("solution", label, solution)
        + cell("check", label, visible[1], visible[0])
        + cell("hidden-check, remove-cell", label, hidden[1], hidden[0])
    )


def solved(label, text):
    return f"\n:::{{solution-start}} {label}\n:::\n{text}\n:::{{solution-end}}\n:::\n"


def rubric(*lines):
    """What a person marks by."""
    return "\n".join([":::{admonition} Rubric", ":class: rubric", *(f"- {line}" for line in lines), ":::"])


def with_changes(text, *changes):
    """A text in which each old part, which it must have, became a new one."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text
