"""Where a page offers Python: below each coded exercise, at each cell, and below each figure that moves.

The buttons are part of the page and do nothing before they are pressed; without scripts they are not shown.
A cell that uses what a page does not have names it instead, and leads to the notebook.
"""

from html import escape
from pathlib import Path

from docutils import nodes

from explorable.sphinx_ext.figures import FigureNode
from extensions.coursework.notebooks import is_notebook, notebook_path
from extensions.pages.chapter_times import coursework
from extensions.pages.excursions import excursion_of
from extensions.pages.tree import is_cell, of_class
from extensions.python_in_page.cells import cells

AFTER = "how-to-check"  # the class of the line behind which the place of an exercise is
OF_EXERCISES = {"tag_solution", "tag_check", "tag_hidden-check"}
NAMES = {"exercise": "Try it here", "cell": "Edit and run", "figure": "Move it anywhere"}


class InPagePlace(nodes.General, nodes.Element):
    """The place of a button: its `kind`, the attributes by which the script knows it, what is missing."""


def add_places(app, doctree):
    """Puts the places into a page."""
    for line in of_class(doctree, AFTER):
        place = InPagePlace(kind="exercise", known={"exercise": label_before(line)}, missing="")
        line.parent.insert(line.parent.index(line) + 1, place)
    source = Path(app.env.doc2path(app.env.docname))
    if is_notebook(source):
        add_places_of_cells(doctree, source)


def label_before(line):
    """The label of the exercise that stands last before a line."""
    siblings = line.parent.children[: line.parent.index(line)]
    exercise = next(node for node in reversed(siblings) if "exercise" in type(node).__name__)
    return exercise["label"]


def add_places_of_cells(doctree, source):
    """A place behind the code of each cell outside exercises, and behind each figure that it shows."""
    known = cells(coursework(source), source)
    for cell in doctree.findall(is_cell):
        number = cell["cell_index"]
        if OF_EXERCISES & set(cell["classes"]) or number not in known:
            continue
        missing = known[number]["missing"]
        code = next((part for part in cell.children if "cell_input" in part["classes"]), None)
        if code is not None:
            code += InPagePlace(kind="cell", known={"cell": number}, missing=missing)
        for figure in list(cell.findall(FigureNode)) if not missing else ():
            if figure["moves"]:
                (name,) = figure["ids"]
                place = InPagePlace(kind="figure", known={"cell": number, "figure": name}, missing="")
                figure.parent.insert(figure.parent.index(figure) + 1, place)


def visit(translator, node):
    known = "".join(f' data-{key}="{escape(str(value))}"' for key, value in node["known"].items())
    if node["missing"]:
        page, kind = translator.builder.current_docname, "excursions" if excursion_of(node) else ""
        link = f'<a href="{"../" * page.count("/")}{notebook_path(page, kind)}" download>a notebook</a>'
        offer = f"<span>Runs in {link} alone: a page has no {escape(node['missing'])}</span>"
    else:
        kind = node["kind"]
        offer = f'<button type="button" data-python="{kind}">{NAMES[kind]}</button>'
    translator.body.append(
        f'<div class="in-page of-{node["kind"]}"{known} data-pagefind-ignore>{offer}</div>\n'
    )
    raise nodes.SkipNode


def setup(app):
    app.add_node(InPagePlace, html=(visit, None))
    app.connect("doctree-read", add_places, priority=600)  # behind those that put the lines there
