"""The base class of directives that generate parts of a page as MyST Markdown."""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


class GeneratingDirective(SphinxDirective):
    """A directive whose output is generated as MyST Markdown without headings."""

    def section(self, title, text):
        """A section with what the MyST Markdown `text` says; `title` is a text or an inline node."""
        heading = nodes.title("", "", nodes.Text(title) if isinstance(title, str) else title)
        section = nodes.section("", heading, names=[nodes.fully_normalize_name(heading.astext())])
        self.state.document.note_implicit_target(section, section)
        return self.parsed(section, text)

    def parsed(self, node, text):
        """`node` with what `text` says added to it."""
        self.state.nested_parse(StringList(text.splitlines()), self.content_offset, node)
        return node
