"""The page of references: below each entry the sections that cite it; foreign titles with their language.

An entry of the bibliography whose title is not English names its language: `language = {de}`.
"""

from itertools import takewhile

from docutils import nodes
from pybtex.richtext import Text
from sphinx.util.nodes import clean_astext, make_refnode


def complete(app, doctree, docname):
    """Each work of the page that lists them, with the places that cite it."""
    works = list(doctree.findall(nodes.citation))
    if not works:
        return
    domain = app.env.get_domain("cite")
    keys = {work.citation_id: work.key for work in domain.citations}
    cited = places(app.env)
    for work in works:
        key = keys[work["ids"][0]]
        entry = domain.bibdata.data.entries[key]
        if "language" in entry.fields:
            mark_language(work, str(Text.from_latex(entry.fields["title"])), entry.fields["language"])
        work += said(app, docname, cited[key])


def mark_language(work, title, language):
    """The title as a passage of its own; docutils writes the class as the attribute `lang`."""
    entry = work.next_node(nodes.paragraph)
    pieces = list(takewhile(lambda part: isinstance(part, nodes.Text), entry))  # cut at letters kept large
    before, _, after = "".join(pieces).partition(title)
    foreign = nodes.inline("", title, classes=[f"language-{language}"])
    entry[: len(pieces)] = [nodes.Text(before), foreign, nodes.Text(after)]


def places(env):
    """By key, in the order of the book: for each page that cites it, sections with their first place."""
    cited = {}
    order = [env.config.root_doc, *env.toctree_includes.get(env.config.root_doc, ())]
    for ref in sorted(env.get_domain("cite").citation_refs, key=lambda ref: order.index(ref.docname)):
        title = env.metadata[ref.docname]["citing"][ref.citation_ref_id]
        for target in ref.targets:
            sections = cited.setdefault(target.key, {}).setdefault(ref.docname, {})
            sections.setdefault(title, ref.citation_ref_id)
    return cited


def note_sections(app, doctree):
    """By its id, the title of the section around each place of the page being read that cites."""
    page, domain = app.env.docname, app.env.get_domain("cite")
    citing = {ref.citation_ref_id for ref in domain.citation_refs if ref.docname == page}
    found = ((name, node) for node in doctree.findall(nodes.Element) for name in node.get("ids", ()))
    app.env.metadata[page]["citing"] = {name: title_around(node) for name, node in found if name in citing}


def title_around(node):
    """The title of the section around a node."""
    while not (isinstance(node, nodes.section) and isinstance(node[0], nodes.title)):
        node = node.parent  # sphinx-proof wraps statements in sections that have no title
    return clean_astext(node[0])


def said(app, docname, cited):
    """`Cited in 1: The dual, Further reading; 4: …`, each section a link."""
    line = nodes.paragraph("", "Cited in ", classes=["cited-in"])
    for count, (page, sections) in enumerate(cited.items()):
        number = app.env.toc_secnumbers.get(page, {}).get("")  # other pages than chapters have none
        line += nodes.Text("; " if count else "")
        line += nodes.Text(f"chapter {number[0]}: " if number else "")
        for rank, (title, place) in enumerate(sections.items()):
            line += nodes.Text(", " if rank else "")
            line += make_refnode(app.builder, docname, page, place, nodes.Text(title))
    line += nodes.Text(".")
    return line


def pages_out_of_date(app, env):
    """The pages that list works, in every build: any page may cite one."""
    return sorted({key.docname for key in env.get_domain("cite").bibliographies})


def setup(app):
    app.connect("doctree-resolved", complete)
    app.connect("doctree-read", note_sections)
    app.connect("env-get-updated", pages_out_of_date)
    return {"env_version": 2}
