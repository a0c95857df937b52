"""Equations of the chapters shown again elsewhere, by their labels: nothing is typed twice."""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective


class QuotedEquation(nodes.General, nodes.Element):
    """The place of an equation of a chapter."""


class Quotation(SphinxDirective):
    """`{equation} LABEL`: what is said of it, the equation, and its number, which leads to its chapter."""

    required_arguments = 1
    has_content = True

    def run(self):
        label = self.arguments[0]
        words, messages = self.parse_inline(f"{' '.join(self.content)} {{eq}}`{label}`", lineno=self.lineno)
        said = nodes.paragraph("", "", *words)
        return [nodes.container("", said, QuotedEquation(label=label), classes=["quoted"]), *messages]


class Quote(SphinxPostTransform):
    """A copy of the equation in the place of each quotation, without label and number."""

    default_priority = 5

    def run(self):
        places, pages = list(self.document.findall(QuotedEquation)), {}
        for place in places:
            page = home(self.env, place["label"])
            if page not in pages:
                pages[page] = equations(self.env.get_doctree(page))
            block = pages[page][place["label"]]
            copy = nodes.math_block(block.astext(), block.astext(), number=None, label=None)
            copy["nowrap"] = block["nowrap"]
            place.replace_self(copy)


def home(env, label):
    """The page with the equation that bears the label."""
    page, _ = env.get_domain("math").equations.get(label, (None, None))
    if page is None:
        raise ExtensionError(f"{env.docname}: no equation of the book has the label {label!r}")
    return page


def equations(doctree):
    """The equations of a page by their labels."""
    return {block.get("label"): block for block in doctree.findall(nodes.math_block)}


def note_page(app, doctree):
    """Notes the pages that quote."""
    if any(doctree.findall(QuotedEquation)):
        quoting(app.env).add(app.env.docname)


def quoting(env):
    """The names of the pages that quote."""
    if not hasattr(env, "quoting_pages"):
        env.quoting_pages = set()
    return env.quoting_pages


def written_again(app, env):
    """The pages that quote, whenever any page was read: the equations may have changed."""
    return sorted(quoting(env) & env.found_docs)


def setup(app):
    app.add_node(QuotedEquation)
    app.add_directive("equation", Quotation)
    app.add_post_transform(Quote)
    app.connect("doctree-read", note_page)
    app.connect("env-updated", written_again)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
