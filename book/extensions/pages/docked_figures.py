"""Figures that stand beside the text: their cells, and where the part of a page begins that each belongs to.

The theme puts them there by `chapter/2-beside.js` and `chapter/3-pinned.js`; without these they stand in
the text.
"""

from docutils import nodes

from explorable.sphinx_ext.scopes import ancestors, scopes
from extensions.pages.depths import is_chapter
from extensions.pages.tree import is_cell

LINE = (
    '<div class="dock-line"><button type="button" class="into-text">Put into the text</button>'
    '<button type="button" class="beside-text">Put beside the text</button></div>'
)


def mark_scopes(app, document):
    """Marks the cells whose figures stand beside the text, and the beginnings of their parts of the page."""
    parts = scopes(document) if is_chapter(app.env.docname) else []  # other pages keep figures in their text
    found = [scope for scope in parts if scope.figure is not None]
    for scope in found:
        begin(scope)
    with_page = found and isinstance(found[0].start.parent, nodes.document)  # the part begins with the page
    opening = found[0].figure if with_page else None
    for figure in {id(scope.figure): scope.figure for scope in found}.values():
        cell = next(filter(is_cell, ancestors(figure)))
        cell["classes"] += ["docks", "home"] if figure is opening else ["docks"]
        figure.parent.insert(figure.parent.index(figure), nodes.raw("", LINE, format="html"))
    app.env.metadata[app.env.docname]["docks"] = bool(found)


def begin(scope):
    """An unseen mark at the beginning of a part: after a section's title, or before a cell."""
    start, data = scope.start, f'data-figure="{scope.figure["ids"][0]}"'
    mark = nodes.raw("", f'<span class="beside-from" {data}></span>', format="html")
    if isinstance(start, nodes.section):
        start.insert(1 + start.first_child_matching_class(nodes.title), mark)
    else:
        start.parent.insert(start.parent.index(start), mark)


def tell_template(app, pagename, templatename, context, doctree):
    """The template loads the scripts on pages with figures beside the text."""
    context["docking"] = app.env.metadata.get(pagename, {}).get("docks", False)


def setup(app):
    app.connect("doctree-read", mark_scopes, priority=600)  # after the text's states have been placed
    app.connect("html-page-context", tell_template)
    return {"env_version": 1}
