"""What several extensions ask of a page's tree, or put into it."""

from docutils import nodes
from sphinx.util.nodes import make_refnode


def of_class(tree, name):
    """The elements of a class."""
    return [node for node in tree.findall(nodes.Element) if name in node["classes"]]


def is_cell(node):
    return isinstance(node, nodes.Element) and node.get("nb_element") == "cell_code"


def note_page(env):
    """Remembers of the page being read that it shows what other pages say: it is written in every build."""
    env.metadata[env.docname]["shows_others"] = True


def link_to(transform, page, place, words):
    """A link from the page that is being transformed to a place of the book."""
    return make_refnode(transform.app.builder, transform.env.docname, page, place, nodes.Text(words))
