"""What the list of works adds to an entry: where the book cites it, and the language of a foreign title.

An entry of the bibliography whose title is not English names its language: `language = {de}`.
"""

from functools import cache
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
    cited, tree_of = {}, cache(env.get_doctree)  # reading a tree takes a quarter of a second
    order = [env.config.root_doc, *env.toctree_includes[env.config.root_doc]]
    for ref in sorted(env.get_domain("cite").citation_refs, key=lambda ref: order.index(ref.docname)):
        title = section_of(tree_of(ref.docname), ref.citation_ref_id).next_node(nodes.title)
        for target in ref.targets:
            sections = cited.setdefault(target.key, {}).setdefault(ref.docname, {})
            sections.setdefault(clean_astext(title), ref.citation_ref_id)
    return cited


def section_of(tree, name):
    """The section around the place of that id."""
    node = next(node for node in tree.findall(nodes.Element) if name in node.get("ids", ()))
    while not (isinstance(node, nodes.section) and isinstance(node[0], nodes.title)):
        node = node.parent  # sphinx-proof wraps statements in sections that have no title
    return node


def said(app, docname, cited):
    """`Cited in 1: The dual, Further reading; 4: …`, each section a link."""
    line = nodes.paragraph("", "Cited in ", classes=["cited-in"])
    for number, (page, sections) in enumerate(cited.items()):
        line += nodes.Text("; " if number else "")
        line += nodes.Text(called(app.env, page))
        for rank, (title, place) in enumerate(sections.items()):
            line += nodes.Text(", " if rank else "")
            line += make_refnode(app.builder, docname, page, place, nodes.Text(title))
    line += nodes.Text(".")
    return line


def called(env, page):
    """The number of a chapter before its sections; other pages have only their titles."""
    number = env.toc_secnumbers.get(page, {}).get("")
    return f"chapter {number[0]}: " if number else ""


def written_again(app, env):
    """The pages that list works, whenever any page was read: another may cite them now."""
    return sorted({key.docname for key in env.get_domain("cite").bibliographies})


def setup(app):
    app.connect("doctree-resolved", complete)
    app.connect("env-updated", written_again)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
