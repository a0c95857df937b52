"""What several extensions ask of a page's tree, or put into it."""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.nodes import make_refnode

TEXT, WORDS = 8, 967  # when a place is written: before tables are boxed and units tied, or behind


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


def cross_reference(kind, label, words, page):
    """A reference by the role `ref` or `numref` on a page, which Sphinx resolves."""
    told = {"refdomain": "std", "reftype": kind, "reftarget": label, "refexplicit": True, "refdoc": page}
    return pending_xref("", nodes.inline("", words), **told, refwarn=True)


class Later(nodes.General, nodes.Inline, nodes.Element):
    """Stands for what `write`, called with a transform and this node, makes when all pages are read."""


class LaterRole(SphinxRole):
    """A role whose text `write` turns into words, as the node's `text`."""

    def __init__(self, write):
        super().__init__()
        self.write = write

    def run(self):
        note_page(self.env)
        return [Later(write=self.write, at=WORDS, text=self.text)], []


class WriteText(SphinxPostTransform):
    """Writes the places whose time has come."""

    default_priority = TEXT

    def run(self):
        for place in list(self.document.findall(Later)):
            if place["at"] == self.default_priority:
                place.replace_self(place["write"](self, place))


class WriteWords(WriteText):
    """The same later, when folds are made and excursions written."""

    default_priority = WORDS


def tags(before, behind):
    """What writes a node in HTML: texts around it, in which its attributes stand as `{name}`."""
    return tuple(
        lambda translator, node, text=text: translator.body.append(text.format(**node.attributes))
        for text in (before, behind)
    )


def published(app, path):
    """The address of a file of the published site."""
    return f"{app.config.html_baseurl.rstrip('/')}/{path}"


def files_of_repository(config):
    """Where the forge shows the files of the book's repository."""
    options = config.html_theme_options
    return f"{options.get('repository_url', '')}/blob/{options.get('repository_branch') or 'main'}"


class GeneratingDirective(SphinxDirective):
    """A directive whose output is generated as MyST Markdown without headings."""

    def parsed(self, node, text):
        """`node` with what `text` says added to it."""
        self.state.nested_parse(StringList(text.splitlines()), self.content_offset, node)
        return node


def setup(app):
    app.add_node(Later)
    app.add_post_transform(WriteText)
    app.add_post_transform(WriteWords)
