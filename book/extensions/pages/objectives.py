"""What a chapter's card promises, with the exercises that train it as links.

`{exercises}`softmax-features, softmax-linear`` at the end of an objective becomes `Exercises 3.5, 3.7`.
On the plan of a session the directive `{objectives}` lists the card of its chapter.
"""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxRole

from extensions.pages.chapter_times import coursework
from extensions.pages.tree import GeneratingDirective, cross_reference
from margins_book.page.objectives import labels_in


class Exercises(SphinxRole):
    """`{exercises}`: the numbers of exercises, each a link."""

    def run(self):
        labels = labels_in(self.text)
        line = nodes.inline("", "Exercises " if len(labels) > 1 else "Exercise ", classes=["trained-by"])
        for place, label in enumerate(labels):
            line += [nodes.Text(", ")] if place else []
            line += cross_reference("numref", label, "{number}", self.env.docname)
        return [line], []


class Objectives(GeneratingDirective):
    """`{objectives}`: those of the chapter with this page's name, and the exercises that train each."""

    def run(self):
        path = self.env.doc2path(f"chapters/{self.env.docname.rpartition('/')[2]}")
        self.env.note_dependency(path)
        try:
            chapter = coursework(path)
        except OSError:
            raise ExtensionError(f"{self.get_source_info()[0]}: there is no chapter {path}") from None
        lines = (f"- {one.words}: {exercises_of(chapter, one)}." for one in chapter.objectives)
        return self.parsed(nodes.Element(), "\n".join(lines)).children


def exercises_of(chapter, objective):
    """The exercises that train an objective, in MyST: `3.5 Features with a scale ★★; ...`."""
    texts = map(chapter.text, objective.exercises)
    return "; ".join(
        f"{{numref}}`{{number}} {text.title} <{text.label}>` {'★' * text.stars}" for text in texts
    )


def setup(app):
    app.add_role("exercises", Exercises())
    app.add_directive("objectives", Objectives)
