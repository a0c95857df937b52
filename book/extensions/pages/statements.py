"""The page that lists every definition, theorem and proposition of the book by its number and title."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import clean_astext, make_refnode

from extensions.pages.tree import note_page


class statements(nodes.General, nodes.Element):  # noqa: N801 - docutils names node classes in lower case
    """The place of the list."""


class Statements(SphinxDirective):
    """`{statements}`: the list, made when all pages have been read."""

    def run(self):
        note_page(self.env)
        return [statements()]


def fill(app, doctree, docname):
    """A section for each page that states something, in the order of the book."""
    for place in list(doctree.findall(statements)):
        by_page = {}
        for label, proof in app.env.proof_list.items():
            if not proof["nonumber"]:
                by_page.setdefault(proof["docname"], []).append(label)
        place.replace_self([section(app, docname, page, by_page[page]) for page in sorted(by_page)])


def section(app, docname, page, labels):
    """The statements of one page under its title."""
    titles = {
        node["label"]: node.next_node(nodes.title) for node in app.env.get_doctree(page).findall(is_proof)
    }
    lines = nodes.bullet_list(classes=["statements"])
    for label in labels:
        link = make_refnode(app.builder, docname, page, label, nodes.Text(name_of(app.env, label)))
        line = nodes.paragraph("", "", link, nodes.Text(" "), *unwrapped(titles[label]))
        lines += nodes.list_item("", line)
    heading = nodes.title("", clean_astext(app.env.titles[page]))
    return nodes.section("", heading, lines, ids=[f"statements-{page.rpartition('/')[2]}"])


def name_of(env, label):
    """`Theorem 6.1`, as a statement is called."""
    proof = env.proof_list[label]
    number = env.toc_fignumbers[proof["docname"]][proof["countertype"]][label]
    return f"{proof['realtype'].title()} {'.'.join(map(str, number))}"


def unwrapped(title):
    """What a title says, without the parentheses that sphinx-proof puts around it."""
    inside = title.deepcopy()
    for end, cut in ((0, str.lstrip), (-1, str.rstrip)):
        inside[end] = nodes.Text(cut(inside[end].astext(), " ()"))
    return inside.children


def is_proof(node):
    return isinstance(node, nodes.Element) and "countertype" in node and "label" in node


def setup(app):
    app.add_node(statements)
    app.add_directive("statements", Statements)
    app.connect("doctree-resolved", fill)
