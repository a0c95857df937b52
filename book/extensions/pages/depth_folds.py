"""Which parts of a chapter are folds, and the line that each is folded to.

Outside of everything proofs of the class `dropdown`, checks with their code, and errata are folded. What
checks print after a sentence that ends in a colon is a part of the text: their code alone is folded.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_proof.directive import ElementDirective
from sphinx_proof.nodes import NODE_TYPES

from explorable.sphinx_ext.figures import FigureNode
from extensions.pages.depths import folded, is_chapter, lines
from extensions.pages.dropdowns import fold, unlinked
from extensions.pages.reading_time import is_exercise
from extensions.pages.tree import is_cell

ASSERTS = re.compile(r"^\s*(assert\b|bounded\()", re.M)  # a cell that checks something
CHECKED = "Checked"  # with it the bold words begin that say what was: "Checked on 40 random problems."
ERRATUM = re.compile(r"Erratum:? *")
WORDS = "in-words"


class Statement(ElementDirective):
    """A definition or theorem that may be said in words first: `:words: ...`, MyST within a line."""

    option_spec = ElementDirective.option_spec | {"words": str.strip}

    def run(self):
        (box,) = super().run()
        if self.options.get("words"):
            parts, messages = self.state.inline_text(self.options["words"], self.lineno)
            box.insert(1, [nodes.paragraph("", "", *parts, classes=[WORDS]), *messages])
        return [box]


class FoldByDepth(SphinxPostTransform):
    """Makes the folds of a chapter."""

    default_priority = 965  # after those boxes that are folded at any depth, and after proofs are named

    def run(self):
        if not is_chapter(self.env.docname):
            return
        for kind, work in KINDS:
            for node in [node for node in self.document.findall(kind) if not is_exercise(node)]:
                work(node)


def is_folded_proof(node):
    return isinstance(node, fold) and "proof" in node["classes"]


def tell_length(proof):
    """Says how long a folded proof is; everything has it open."""
    proof["classes"].append("deep")
    proof["tells"] = lines(*proof.children[1:])


def is_erratum(node):
    return type(node) is nodes.admonition and "erratum" in node["classes"]


def fold_erratum(box):
    """Folds a box of what is said otherwise, and the cells below that show it, to a line."""
    words = [part.deepcopy() for part in unlinked(box.children[0])]
    if isinstance(words[0], nodes.Text) and ERRATUM.match(words[0]):
        words[0] = nodes.Text(ERRATUM.sub("Often printed otherwise: ", words[0]))
    folded([box, *cells_after(box)], "printed-fold", words)


def is_shown(node):
    """Whether a node is a cell of the text whose code is in view: none of an exercise, and no figure's."""
    if not is_cell(node) or any(name.startswith("tag_") for name in node["classes"]):
        return False
    return next(node.findall(FigureNode), None) is None


def fold_cells(cell):
    """Folds a check, a cell and its neighbours, to the words that say of what; other code stays."""
    if isinstance(cell.parent, fold) or isinstance(cell.children[0], fold):
        return
    cells = [cell, *cells_after(cell)]
    before = cell.parent.children[cell.parent.index(cell) - 1]
    if not any(map(asserts, cells)):
        return
    is_lead = isinstance(before, nodes.paragraph) and lead_of(before) is not None
    if isinstance(before, nodes.paragraph) and before.astext().endswith(":") and not is_lead:
        for one in cells:  # what they print is a part of the text
            fold_code([part for part in one.children if part.get("nb_element") != "cell_code_output"])
    else:
        words = [before] if is_lead else []
        line = take_lead(before) if words else CHECKED
        if words and not before.children:
            before.parent.remove(words.pop())
        folded([*words, *cells], "check-fold", line)


def fold_code(parts):
    """Folds all of a cell but what it prints to a line that says whether they check anything."""
    if any(map(asserts, parts)):
        folded(parts, "check-fold", CHECKED)
    else:
        length = sum(len(code_of(part).splitlines()) for part in parts)
        folded(parts, "code-fold", "Code", f", {length} line{'s' * (length > 1)}")


def cells_after(node):
    """The cells in view that follow a node with nothing between."""
    found = []
    while (node := node.next_node(descend=False, siblings=True)) is not None and is_shown(node):
        found.append(node)
    return found


def lead_of(paragraph):
    """The bold words with which a paragraph begins, behind empty text, if they say what was checked."""
    first = next(
        (node for node in paragraph.children if not isinstance(node, nodes.Text) or node.strip()), None
    )
    return first if isinstance(first, nodes.strong) and first.astext().startswith(CHECKED) else None


def take_lead(paragraph):
    """The line of a check; the bold words leave their paragraph, which the line then stands above."""
    lead = lead_of(paragraph)
    rest = paragraph.children[paragraph.index(lead) + 1 :]
    if rest and isinstance(rest[0], nodes.Text):
        rest[0] = nodes.Text(rest[0].lstrip())
    paragraph.children = []
    paragraph += rest
    return lead.astext().rstrip(".")


def asserts(part):
    return ASSERTS.search(code_of(part)) is not None


def code_of(part):
    """The code of a cell, or of a part of it, which may have none."""
    return next(part.findall(nodes.literal_block), nodes.Text("")).astext()


KINDS = (
    (is_folded_proof, tell_length),
    (is_erratum, fold_erratum),
    (is_shown, fold_cells),
)


def setup(app):
    for kind in NODE_TYPES:
        app.add_directive_to_domain("prf", kind, Statement, override=True)
    app.add_post_transform(FoldByDepth)
