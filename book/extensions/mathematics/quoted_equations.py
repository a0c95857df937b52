"""Equations of the chapters, quoted on other pages by their labels."""

from typing import NamedTuple

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from extensions.execution.build_record import pages_to_rewrite


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
    """The labelled equations of a page, and the labels of those that it quotes."""

    equations: dict  # by label: TeX, and whether it has an environment of its own
    quoted: list  # labels


def noted(env):
    """By page, its `Noted`."""
    if not hasattr(env, "quotations"):
        env.quotations = {}
    return env.quotations


def note(app, doctree):
    """The labelled equations of the page being read, and those it quotes."""
    blocks = [block for block in doctree.findall(nodes.math_block) if block.get("label")]
    equations = {block["label"]: (block.astext(), block["nowrap"]) for block in blocks}
    quoted = [place["label"] for place in doctree.findall(QuotedEquation)]
    noted(app.env)[app.env.docname] = Noted(equations, quoted)


def pages_out_of_date(app, env):
    """The pages that quote an equation which has changed."""
    quoting = {page: found.quoted for page, found in noted(env).items() if page in env.found_docs}
    shown = {
        page: [equation(env, page, label) for label in labels] for page, labels in quoting.items() if labels
    }
    return pages_to_rewrite(app, shown)


def setup(app):
    app.add_node(QuotedEquation)
    app.add_directive("equation", Quotation)
    app.add_post_transform(Quote)
    app.connect("doctree-read", note)
    app.connect("env-get-updated", pages_out_of_date)
    return {"env_version": 2}
