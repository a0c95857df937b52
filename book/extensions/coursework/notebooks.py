"""The notebooks of every page with code, as .ipynb files of the site, and the links to them at its head.

A chapter has three, which run by themselves: the chapter, its excursions, the solutions of its exercises.
They are plain Markdown, so that every notebook program shows them. The same source gives the same bytes.
"""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import jupytext
import nbformat

from extensions.coursework.notebook_branch import binder_address, colab_address, jupyterhub_address
from extensions.coursework.notebook_code import numbered, set_up_cell, set_up_of, where_its_code_is
from extensions.coursework.notebook_names import BookNames, labels_in, require_plain
from extensions.coursework.notebook_parts import HEAD, markdown_cell, parted
from extensions.pages.chapter_times import coursework
from extensions.pages.depths import chapter_number
from extensions.pages.excursions import LABEL
from extensions.pages.figure_code import imports_apart
from extensions.pages.tree import published
from margins_book.page.excursions import labels_of_figures
from margins_book.page.plain import plain
from margins_book.page.selection import select
from margins_course.assignments.combine import combine
from margins_course.assignments.notebooks import as_bytes, student_notebook

TITLE = re.compile(r"(?:^\([\w-]+\)=\n)*^# (.+)\n*", re.MULTILINE)
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
GUIDE = "book/teaching"
SERVICES = {  # with what a reader who does not know the service has to expect
    "Binder": (binder_address, "free, 1–2 minutes"),
    "JupyterHub": (jupyterhub_address, "your university"),
    "Colab": (colab_address, "Google account"),
}


def is_runnable(app, pagename):
    """Whether the page's source is a MyST notebook."""
    return pagename in app.env.all_docs and is_notebook(Path(app.env.doc2path(pagename)))


def is_notebook(source):
    """Whether a file is a MyST notebook: its front matter names a kernel."""
    if source.parent.name == "stories":  # it shows no code: none is published, none runs in a page
        return False
    return source.suffix == ".md" and "\nkernelspec:" in source.read_text("utf8")[:600]


def notebook_path(pagename, kind=""):
    """The file in the site of a page's notebook, or of the one of its excursions or its solutions."""
    return f"notebooks/{file_name(pagename, kind)}"


def file_name(pagename, kind=""):
    return f"{pagename.rpartition('/')[2]}{kind and '-'}{kind}.ipynb"


def publish(app, pagename):
    """Writes a page's notebooks, without outputs."""
    for kind, cells in notebooks_of(app, pagename).items():
        for cell in cells:
            if cell.cell_type == "markdown":
                require_plain(pagename, cell.source)
        notebook = nbformat.v4.new_notebook(cells=with_ids(cells), metadata=METADATA)
        target = Path(app.outdir, notebook_path(pagename, kind))
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False)
        target.write_text(f"{text}\n", "utf8")


def with_ids(cells):
    """The cells with ids that depend on what is in them, so that an edit leaves those of all others."""
    seen = Counter()
    for cell in cells:
        cell.id = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        seen[cell.id] += 1
        if seen[cell.id] > 1:
            cell.id += f"-{seen[cell.id]}"
    return cells


def notebooks_of(app, pagename):
    """By kind, the cells of each notebook of a page; that of the page itself has the kind ""."""
    cells = jupytext.read(app.env.doc2path(pagename), fmt="md:myst").cells
    to_solutions = file_name(pagename, "solutions") if app.config.coursework_show_solutions else ""
    page = Page(app, pagename, parted(cells, pagename, to_solutions))
    made = {"": page.chapter()}
    if page.parts.excursions:
        made["excursions"] = page.excursions()
    if page.parts.solutions:
        made["solutions"] = page.solutions()
    return made


class Page:
    """A page's parts, made into notebooks."""

    def __init__(self, app, pagename, parts):
        self.app, self.name, self.parts = app, pagename, parts
        first = next(cell for cell in parts.spine if cell.cell_type == "markdown")
        self.title = TITLE.search(first.source)[1]

    def chapter(self):
        """The spine: title, set-up, text and figures."""
        first, *rest = self.parts.spine
        names, imports = self.names(self.parts.spine), ""
        cells = [markdown_cell(TITLE.sub("", first.source, count=1)), *rest]
        place = next((n for n, cell in enumerate(cells) if cell.cell_type == "code"), None)
        if place is not None:
            imports, others = imports_apart(cells[place].source)
            cells[place] = nbformat.v4.new_code_cell(others)
        head = f"# {plain(self.title, names)}\n\n{self.links('')}"
        return [markdown_cell(head), set_up_cell(self.app, imports), *self.plain(cells, names)]

    def excursions(self):
        """All excursions, with what of the chapter their cells rest on in their set-up."""
        cells = self.parts.excursions
        names = self.names(cells)
        named = (self.with_its_name(cell, names) for cell in cells)
        return [*self.opening("excursions", "Excursions", cells, names), *self.plain(named, names)]

    def solutions(self):
        """The solutions of all exercises, each below the exercise's name."""
        by_label = self.parts.solutions
        names = self.names([cell for cells in by_label.values() for cell in cells])
        cells = list(self.named_solutions(names, "##"))
        return [*self.opening("solutions", "Solutions", cells, names), *self.plain(cells, names)]

    def named_solutions(self, names, heading):
        """The cells of each solution below the name of its exercise."""
        for label, found in self.parts.solutions.items():
            lead = names.lead("exercise", label, self.parts.titles.get(label, ""))
            link = f"[The exercise in the book]({names.address(self.name, label)})"
            yield markdown_cell(f"{heading} {lead}\n\n{link}")
            yield from found

    def opening(self, kind, called, cells, names):
        """The first two cells of a notebook beside the chapter's."""
        code = set_up_of(self.parts.code, cells)
        head = f"# {called}: {plain(self.title, names)}\n\n{self.links(kind)}"
        return [markdown_cell(head), set_up_cell(self.app, code)]

    def names(self, cells):
        """What references say in the notebook of some cells."""
        here = labels_in(cell.source for cell in cells if cell.cell_type == "markdown")
        shown = {label for c in cells if c.cell_type == "code" for label in labels_of_figures(c.source)}
        excursions = file_name(self.name, "excursions") if self.parts.excursions else ""
        return BookNames(self.app, self.name, here | shown, excursions)

    def links(self, kind):
        """The line below the title: where the page and the other notebooks are."""
        page = published(self.app, f"{self.name}.html")
        kinds = {"": True, "excursions": self.parts.excursions, "solutions": self.parts.solutions}
        others = [self.link(one) for one, there in kinds.items() if there and one != kind]
        beside = f" Beside this notebook: {' and '.join(others)}." if others else ""
        return f"*[This page in the book]({page}).{beside}*"

    def link(self, kind):
        """A link to another notebook of the page; Colab, which knows no neighbours, needs one of its own."""
        beside = f"[{kind or 'the chapter'}]({file_name(self.name, kind)})"
        colab = colab_address(self.app, file_name(self.name, kind))
        return f"{beside} ([in Colab]({colab}))" if colab else beside

    def with_its_name(self, cell, names):
        """The cell with an excursion's name in its heading, and what the excursion needs below."""
        if cell.cell_type != "markdown" or not (head := HEAD.match(cell.source)):
            return cell
        labels, title, letter, uses = head.groups()
        name = f"{chapter_number(self.name)}.{letter}"
        told = names.needs(name, re.findall(LABEL, uses or ""))
        line = f"*Excursion {name}. {told} Nothing in the spine uses it.*"
        return markdown_cell(f"{labels}## {name} {title}\n\n{line}\n\n{cell.source[head.end() :]}")

    def plain(self, cells, names):
        """The cells as notebook programs show them; below the first figure, how to read its code."""
        told = False
        for cell in cells:
            if cell.cell_type == "markdown":
                if source := plain(cell.source, names, self.name):
                    yield markdown_cell(source)
            elif cell.source.strip():
                hidden = "remove-cell" in cell.metadata.get("tags", [])
                metadata = {"jupyter": {"source_hidden": True}} if hidden else {}
                yield nbformat.v4.new_code_cell(numbered(names, cell.source), metadata=metadata)
                if not told and (note := where_its_code_is(cell.source)):
                    told = True
                    yield markdown_cell(note)


def launch_links(app, pagename):
    """Where the page opens as a notebook, by the services of _config.yml's launch_buttons."""
    addresses = {name: address(app, file_name(pagename)) for name, (address, _) in SERVICES.items()}
    return [
        {"name": name, "url": url, "download": False, "note": SERVICES[name][1]}
        for name, url in addresses.items()
        if url
    ]


def write_assignment(app, pagename, context):
    """Writes the students' notebook of a page with coded exercises, and gives the template its address."""
    chapter = coursework(app.env.doc2path(pagename))
    if not chapter.exercises:
        return
    address = published(app, f"{pagename}.html")
    path = f"notebooks/{chapter.name}-exercises.ipynb"
    labels = tuple(text.label for text in chapter.texts)
    assigned = combine(chapter.name, f"{chapter.title}: exercises", [select(chapter, address, labels)])
    Path(app.outdir, path).write_bytes(as_bytes(student_notebook(assigned)))  # beside those of the page
    context["students_notebook"] = context["pathto"](path, 1)
    context["guide_to_assigning"] = f"{context['pathto'](GUIDE)}#release"


def offer(app, pagename, templatename, context, doctree):
    """Publishes the notebooks when the page is written, and gives its template the links to them."""
    if not is_runnable(app, pagename):
        return
    publish(app, pagename)
    url = context["pathto"](notebook_path(pagename), 1)
    own_copy = {"name": "Download", "url": url, "download": True, "note": ""}
    context.update(runnable=True, launch_links=[*launch_links(app, pagename), own_copy])
    write_assignment(app, pagename, context)


def setup(app):
    app.connect("html-page-context", offer)
