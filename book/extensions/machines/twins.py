"""The Markdown twin of every page: `chapters/03_softmax_kernel.md` beside the page of that name.

It is made as the notebooks are, of the same parts: text, excursions, solutions if the site shows them. Code
stands in blocks with what it printed below. A figure is its caption, its sentence and a link to it.
"""

import ast
import html
import re
from pathlib import Path

import jupytext

from explorable.sphinx_ext.figures import CaptionNode, FigureNode
from extensions.coursework.notebook_names import labels_in, require_plain
from extensions.coursework.notebook_parts import Parts, markdown_cell, parted
from extensions.coursework.notebooks import TITLE, Page
from extensions.machines.twin_names import SOLUTIONS, TwinNames, without_definitions
from extensions.machines.twin_nodes import computed, inline, printed
from extensions.pages.depths import is_chapter
from extensions.pages.stories import is_story
from extensions.pages.tree import is_cell
from margins_book.page.excursions import labels_of_figures
from margins_book.page.exercise_text import python_block
from margins_book.page.plain import plain

SENTENCE = re.compile(r"<output[^>]*>(.*?)</output>", re.DOTALL)
UNSEEN = {"remove-cell", "remove-input"}  # the tags of cells whose code a page does not show


class Twin(Page):
    """A page's parts as one text of plain Markdown."""

    def __init__(self, app, pagename, doctree):
        cells = jupytext.read(app.env.doc2path(pagename), fmt="md:myst").cells
        self.figures = {figure["ids"][0]: figure for figure in doctree.findall(FigureNode)}
        self.printed = printed(doctree.findall(is_cell))
        self.doctree_cells = {cells[cell["cell_index"]].source: cell for cell in doctree.findall(is_cell)}
        self.of_scenes = iter(self.figures) if is_story(pagename) else None
        here = labels_in(cell.source for cell in cells if cell.cell_type == "markdown") | {*self.figures}
        self.words = TwinNames(app, pagename, here, doctree)
        to_solutions = SOLUTIONS if app.config.coursework_show_solutions else ""
        parts = parted(cells, pagename, to_solutions) if is_chapter(pagename) else Parts(spine=cells)
        super().__init__(app, pagename, parts)

    def text(self):
        """The whole text."""
        first, *spine = self.parts.spine
        cells = [markdown_cell(TITLE.sub("", first.source, count=1)), *spine]
        cells += [self.with_its_name(cell, self.words) for cell in self.parts.excursions]
        if self.parts.solutions:
            cells += [markdown_cell("## Solutions"), *self.named_solutions(self.words, "###")]
        written = map(self.written, cells)
        text = "\n\n".join(filter(None, [*self.head(), *written]))
        return text.replace("</details><br>", "</details>") + "\n"

    def head(self):
        """The title; where the page is, and what may be done with it."""
        book = f"[{self.app.config.html_title}]({self.words.address(self.name)})"
        number = self.app.env.toc_secnumbers.get(self.name, {}).get("")
        title = f"{number[0]}. {self.title}" if number else self.title
        return f"# {plain(title, self.words)}", f"*From {book}: text CC BY 4.0, code BSD-3-Clause.*"

    def written(self, cell):
        """A cell as Markdown."""
        if cell.cell_type == "code":
            return self.code(cell)
        made = plain(without_definitions(cell.source), self.words, self.name)
        require_plain(self.name, made)
        return made

    def code(self, cell):
        """The figures that a cell shows, else its code and what it printed; a story shows no code."""
        if shown := list(self.shown(cell.source)):
            return "\n\n".join(map(self.figure, shown))
        if self.of_scenes:
            return ""
        if UNSEEN & {*cell.metadata.get("tags", ())}:
            made = self.doctree_cells.get(cell.source)
            return computed(made, self.words.address(self.name)) if made else ""
        return python_block(cell.source) + self.printed.get(cell.source.strip(), "")

    def shown(self, source):
        """The ids of the figures that a cell shows; in a story one, if the cell ends in an expression."""
        yield from (
            label for label in labels_of_figures(source) if not self.of_scenes and label in self.figures
        )
        if self.of_scenes and isinstance(ast.parse(source).body[-1], ast.Expr):
            yield next(self.of_scenes)

    def figure(self, name):
        """A figure in words: its number, its caption, the sentence below it, and where it is drawn."""
        figure, number = self.figures[name], self.words.number(self.name, name)
        caption = inline(figure.next_node(CaptionNode), self.words.address(self.name))
        caption += "" if caption.endswith((".", "?", "!")) else "."
        lead = f"**Figure {number}.**" if number else "**Figure.**"
        sentence = SENTENCE.search(figure["body"])
        said = [f"*{html.unescape(sentence[1])}*"] if sentence else []
        verb = "moves" if figure["moves"] else "is drawn"
        link = f"[It {verb} on the page.]({self.words.address(self.name, name)})"
        return " ".join([lead, caption, *said, link])


def publish(app, pagename, templatename, context, doctree):
    """Writes the twin of a page when the page is written, and gives its address to the template."""
    if doctree is None:
        return
    path = f"{pagename}.md"
    target = Path(app.outdir, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(Twin(app, pagename, doctree).text(), "utf8")
    context["markdown_twin"] = context["pathto"](path, 1)


def setup(app):
    app.connect("html-page-context", publish)
