"""Equations of the chapters shown again elsewhere, by their labels: nothing is typed twice."""

from typing import NamedTuple

from docutils import nodes
from finished import changed
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
        for place in list(self.document.findall(QuotedEquation)):
            tex, nowrap = equation(self.env, self.env.docname, place["label"])
            place.replace_self(nodes.math_block(tex, tex, number=None, label=None, nowrap=nowrap))


def equation(env, page, label):
    """The equation of the book that bears the label, which `page` quotes."""
    home, _ = env.get_domain("math").equations.get(label, (None, None))
    if home is None:
        raise ExtensionError(f"{page}: no equation of the book has the label {label!r}")
    return noted(env)[home].equations[label]


class Noted(NamedTuple):
    """What a page that was read has for others, and takes from them."""

    equations: dict  # by label, TeX and whether it stands as it is
    quoted: list  # labels


def noted(env):
    """What was noted of each page."""
    if not hasattr(env, "quotations"):
        env.quotations = {}
    return env.quotations


def note(app, doctree):
    """The labelled equations of the page being read, and those it quotes."""
    blocks = [block for block in doctree.findall(nodes.math_block) if block.get("label")]
    equations = {block["label"]: (block.astext(), block["nowrap"]) for block in blocks}
    quoted = [place["label"] for place in doctree.findall(QuotedEquation)]
    noted(app.env)[app.env.docname] = Noted(equations, quoted)


def written_again(app, env):
    """The pages that quote, when an equation has changed that they show."""
    quoting = {page: found.quoted for page, found in noted(env).items() if page in env.found_docs}
    shown = {
        page: [equation(env, page, label) for label in labels] for page, labels in quoting.items() if labels
    }
    return changed(app, shown)


def setup(app):
    app.add_node(QuotedEquation)
    app.add_directive("equation", Quotation)
    app.add_post_transform(Quote)
    app.connect("doctree-read", note)
    app.connect("env-get-updated", written_again)
    return {"version": "1", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
