"""The directive `{parts-of-python}`: whose files Python in the page is made of, with licences and hashes."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from extensions.python_in_page.parts import parts, sha256

HEADINGS = ("Part", "Version", "Licence", "From", "SHA-256 of its files")
DIGITS = 16  # of a hash: enough to compare by eye


class PartsOfPython(SphinxDirective):
    """A table with a row for each part."""

    def run(self):
        rows = [written(part) for part in parts(self.config.python_in_page_numpy)]
        group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in HEADINGS), cols=len(HEADINGS))
        group += nodes.thead("", row([nodes.Text(heading) for heading in HEADINGS]))
        group += nodes.tbody("", *map(row, rows))
        return [nodes.table("", group, classes=["colwidths-auto", "listed"])]


def written(part):
    """The contents of a part's row."""
    hashes = ", ".join(sha256(file)[:DIGITS] for file in part.files)
    return [nodes.Text(text) for text in (part.name, part.version, part.licence, part.source, hashes)]


def row(contents):
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", content)) for content in contents))


def setup(app):
    app.add_directive("parts-of-python", PartsOfPython)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
