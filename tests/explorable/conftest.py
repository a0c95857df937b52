"""Small books of a few pages, built by Sphinx with the engine's extension and the book's output caches."""

import contextlib
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from explorable import bake
from scripts.serving import serve
from tests.sphinx_build import sphinx

ROOT = Path(__file__).parents[2]
CONFIGURATION = f"""
import sys
sys.path.insert(0, {str(ROOT / "book")!r})
project = "A small book"
extensions = ["myst_nb", "extensions.execution.output_caches", "explorable.sphinx_ext"]
source_suffix = {{".md": "myst-nb"}}
myst_enable_extensions = ["dollarmath"]
html_theme = "basic"
html_favicon = "favicon.svg"
html_math_renderer = "plain"
html_permalinks_icon = "#"
numfig = True
numfig_format = {{"figure": "Figure %s"}}
nb_execution_mode = "cache"
nb_execution_raise_on_error = True

def plain(translator, node):
    from docutils import nodes
    translator.body.append(f"<i>{{translator.encode(node.astext())}}</i>")
    raise nodes.SkipNode

def setup(app):
    app.add_html_math_renderer("plain", (plain, None), (plain, None))
"""
NOTEBOOK = """---
jupytext:
  text_representation: {{extension: .md, format_name: myst}}
kernelspec: {{display_name: Python 3, language: python, name: python3}}
---
# {title}

{text}

```{{code-cell}} ipython3
from explorable import Drawing, choice, explore, handle, play, prompt, show, slider, toggle
```
"""


@dataclass(frozen=True)
class Project:
    """A book in a folder of its own, with a copy of the library that a test may change."""

    folder: Path

    @property
    def site(self):
        return self.folder / "_build" / "html"

    @property
    def library(self):
        return self.folder / "lib" / "explorable"

    def write(self, name, title, *cells, text="Some prose.", after=""):
        """The page `name` with these cells and the text `after` them; without any it is a page of prose."""
        path = self.folder / "source" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not cells:
            path.write_text(f"# {title}\n\n{text}\n")
            return
        blocks = "".join(f"\n```{{code-cell}} ipython3\n{cell.strip()}\n```\n" for cell in cells)
        path.write_text(NOTEBOOK.format(title=title, text=text) + blocks + after)

    def build(self, *, succeeds=True):
        """What Sphinx said."""
        build, said = self.folder / "_build", self.folder / "said"
        arguments = ["-b", "html", "-W", "--keep-going", "-d", build / "doctrees"]
        code = sphinx([*arguments, self.folder / "source", self.site], self.folder / "lib", said)
        assert (code == 0) == succeeds, said.read_text()
        return said.read_text()

    def tables(self):
        """The published tables of frames by name."""
        return {path.name: path.read_bytes() for path in (self.site / "_static" / "explorables").iterdir()}

    def page(self, name):
        return (self.site / f"{name}.html").read_text()


def new_project(folder, pages):
    """A project with an index over `pages`."""
    project, source = Project(folder), folder / "source"
    source.mkdir(parents=True)
    for package in ("margins", "explorable"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "lib" / package, folder / "lib" / package, ignore=ignored)
    (source / "favicon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (source / "conf.py").write_text(CONFIGURATION)
    project.write("index", "Index", text="```{toctree}\n" + "\n".join(pages) + "\n```")
    return project


CURVE = """
@explore(a=slider(1, 4, steps=49, value=2), kind=choice("line", "dots"), full=toggle(label="to the top"),
         caption=r"A *curve* with $a > 0$",
         prompts=[prompt("Raise $a$.", "It *rises*.", at={"a": 4.0, "kind": "dots"}, says="dots to 4"),
                  prompt("Then lower it.", "It falls.")])
def a_curve(a, kind, full):
    drawing, top = Drawing(), 4 if full else a
    panel = drawing.panel("curve", xlim=(0, 4), ylim=(0, 4))
    if kind == "line":
        panel.plot([0, 4], [0, top], key="line", tell=("x", "height"))
    else:
        panel.scatter([0, 4], [0, top], keys=["foot", "tip"], tell=("x", "height"))
    other = drawing.panel("height", xlim=(0, 4), ylim=(0, 2))
    other.barh([1], [top], keys=["bar"], links=["line"], tell="bar")
    return drawing, f"a {kind} to {top:g}"
"""
STEPS = """
@explore(step=play(range(5)), caption="Steps")
def steps(step):
    drawing = Drawing()
    drawing.panel("steps", xlim=(0, 5), ylim=(0, 5)).plot([0, step], [0, step], key="way")
    return drawing, f"step {step}"
"""
POINT = """
@explore(p=handle(x=slider(-2, 2, steps=51), y=slider(-1, 1, steps=35), label="tip"), caption="A point")
def point(p_x, p_y):
    drawing = Drawing()
    panel = drawing.panel("plane", xlim=(-3, 3), ylim=(-2, 2))
    panel.plot([0, p_x], [0, p_y], key="arm", alpha=0.4)
    panel.scatter([p_x], [p_y], keys=["tip"], tell=("x", "y"))
    return drawing, f"tip at ({p_x:.2f}, {p_y:.2f})"
"""
FOOT = """
@explore(q=handle(x=slider(0.1, 100, steps=61, log=True, value=0.1), y=10, label="foot"), caption="A foot")
def foot(q_x):
    drawing = Drawing()
    panel = drawing.panel("plane", xlim=(0.01, 1000), ylim=(1, 100), xscale="log", yscale="log")
    panel.scatter([q_x], [10], keys=["foot"])
    return drawing, f"foot at {q_x:.3g}"
"""
HOMES = """
@explore(a=slider(0, 3, steps=49), home=choice("low", "high", brings={"low": {"a": 0.0}, "high": {"a": 3.0}}),
         caption="Two homes")
def homes(a, home):
    drawing = Drawing()
    drawing.panel("way", xlim=(0, 3), ylim=(0, 1)).plot([0, a], [0, 1], key="way")
    return drawing, f"from {home}: {a:g}"
"""
WHEEL = """
import numpy as np

@explore(turn=play(range(5)), caption="A hand",
         prompts=[prompt("Where will it point?", "Left.", at={"turn": 4}, says="at 180", draws="hand")])
def wheel(turn):
    angle, drawing = np.pi * turn / 4, Drawing()
    panel = drawing.panel("wheel", xlim=(-2, 2), ylim=(-2, 2))
    panel.arrow((0, 0), (np.cos(angle), np.sin(angle)), key="hand")
    return drawing, f"at {45 * turn}"
"""
WHEEL_COPY = 'wheel.at(turn=1, asks="Where will")'
HIDDEN = """
@explore(n=slider(0, 4, steps=49), caption="A hidden arrow", asides={"sum": "the sum of both"},
         prompts=[prompt("Where does the sum point?", "Up.", at={"n": 2.0}, says="at 2", draws="sum")])
def hidden(n):
    drawing = Drawing()
    drawing.panel("another sum", xlim=(-3, 3), ylim=(-3, 3)).arrow((0, 0), (2, 0), key="sum")
    panel = drawing.panel("plane", xlim=(-3, 3), ylim=(-3, 3))
    panel.scatter([n], [1], keys=["dot"])
    with panel.aside("sum"):
        panel.arrow((0, 0), (0, 2), key="sum")
    return drawing, f"at {n:g}"
"""
SWING = """
@explore(angle=slider(0, 90, steps=91, value=10), way=choice("left", "right"), caption="A pendulum",
         asides={"height": "how high the bob is", "path": "where the bob goes"})
def swing(angle, way):
    import numpy as np
    side, drawing = (1 if way == "right" else -1), Drawing()
    panel = drawing.panel("swing", xlim=(-2, 2), ylim=(-2, 2))
    x, y = side * np.sin(np.radians(angle)), -np.cos(np.radians(angle))
    panel.plot([0, x], [0, y], key="rod")
    panel.scatter([x], [y], keys=["bob"], tell=("x", "y"))
    with panel.aside("height"):
        panel.plot([x, x], [-1, y], key="height of the bob")
        panel.annotate(f"{y + 1:.2f}", (x, -1), key="height in numbers")
    with panel.aside("path"):
        panel.plot([-1, 0, 1], [0, -1, 0], key="path of the bob")
    return drawing, f"{angle:g} degrees to the {way}"
"""
TOLD = """
<!-- figure: angle=60; way=right; with height -->
The first paragraph raises the bob.

{filler}

A second one ends at rest. <!-- figure: angle=0 --> It says so in its [second](#ex-swing "path") sentence.
[The rod](#ex-swing "rod") is at rest.

{filler}
"""
STILL = """
from explorable.style import new_axes
figure, axes = new_axes()
axes.plot([0, 1])
show(figure, name="rise", caption="It *rises*", alt="A line rises")
"""


@pytest.fixture
def baking(monkeypatch):
    """Figures are displayed as for a built page."""
    monkeypatch.setenv("EXPLORABLE_BAKE", "1")
    monkeypatch.setattr(bake, "spent", [])  # the time of figures that other tests of this process baked


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    """A built book with every kind of control."""
    project = new_project(
        tmp_path_factory.mktemp("book"),
        ["chapters/curves", "chapters/points", "chapters/guesses", "chapters/told"],
    )
    project.write("chapters/curves", "Curves", CURVE, STEPS, STILL)
    project.write("chapters/points", "Points", POINT, FOOT, HOMES)
    project.write(
        "chapters/guesses", "Guesses", WHEEL, HIDDEN, WHEEL_COPY, text='The [hand](#ex-wheel "hand") turns.'
    )
    filler = "\n\n".join(["A paragraph that speaks of nothing."] * 40)
    project.write("chapters/told", "Told", SWING, after=TOLD.format(filler=filler))
    project.build()
    return project


@pytest.fixture(scope="module")
def draft(tmp_path_factory):
    """A built book of two notebooks and a page of prose, for tests that put back what they edit."""
    project = new_project(tmp_path_factory.mktemp("draft"), ["plain", "chapters/one", "chapters/two"])
    project.write("plain", "Plain")
    project.write("chapters/one", "One", STEPS)
    project.write(
        "chapters/two",
        "Two",
        STEPS.replace("def steps", "def strides").replace("range(5)", "range(6)"),
        STILL,
    )
    project.build()
    return project


@pytest.fixture(scope="session")
def origin(book):
    with serve(book.site) as address:
        yield address


@pytest.fixture
def visit(browser, origin):
    """Opens a page of the built book; at the end nothing may have gone wrong that was not `allowed`."""
    said, allowed = [], []
    with contextlib.ExitStack() as contexts:

        def open_page(path, **options):
            context = browser.new_context(**{"viewport": {"width": 900, "height": 900}, **options})
            contexts.callback(context.close)
            page = context.new_page()
            page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: said.append(str(error)))
            page.allowed = allowed
            page.goto(f"{origin}/{path}" if "://" not in path else path)
            return page

        yield open_page
    assert [words for words in said if not any(part in words for part in allowed)] == []


def centre(handle):
    box = handle.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, handle, across, down):
    """Drags a point by the mouse, so many pixels; the mouse stays there."""
    x, y = centre(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=4)
    page.mouse.up()
