"""Equations of the chapters, quoted on other pages by their labels."""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from extensions.execution.build_record import pages_to_rewrite
from extensions.pages.tree import TEXT, Later


class Quotation(SphinxDirective):
    """`{equation} LABEL`: what is said of it, the equation, and its number, which leads to its chapter."""

    required_arguments = 1
    has_content = True

    def run(self):
        label = self.arguments[0]
        words, messages = self.parse_inline(f"{' '.join(self.content)} {{eq}}`{label}`", lineno=self.lineno)
        self.env.metadata[self.env.docname].setdefault("quoted", []).append(label)
        place = Later(write=quote, at=TEXT, label=label)
        return [nodes.container("", nodes.paragraph("", "", *words), place, classes=["quoted"]), *messages]


def quote(transform, place):
    """A copy of the equation, without label and number."""
    tex, nowrap = equation(transform.env, transform.env.docname, place["label"])
    return nodes.math_block(tex, tex, number=None, label=None, nowrap=nowrap)


def equation(env, page, label):
    """The TeX of the equation that `page` quotes, and whether it has an environment of its own."""
    home, _ = env.get_domain("math").equations.get(label, (None, None))
    if home is None:
        raise ExtensionError(f"{page}: no equation of the book has the label {label!r}")
    return env.metadata[home]["equations"][label]


def note(app, doctree):
    """The labelled equations of the page being read."""
    blocks = [block for block in doctree.findall(nodes.math_block) if block.get("label")]
    equations = {block["label"]: (block.astext(), block["nowrap"]) for block in blocks}
    app.env.metadata[app.env.docname]["equations"] = equations


def pages_out_of_date(app, env):
    """The pages that quote an equation which has changed."""
    quoting = {page: known["quoted"] for page, known in env.metadata.items() if "quoted" in known}
    shown = {page: [equation(env, page, label) for label in labels] for page, labels in quoting.items()}
    return pages_to_rewrite(app, shown)


def setup(app):
    app.add_directive("equation", Quotation)
    app.connect("doctree-read", note)
    app.connect("env-get-updated", pages_out_of_date)
    return {"env_version": 3}
