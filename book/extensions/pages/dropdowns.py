"""Boxes with the class `dropdown` as native <details>: they open without a script, by keyboard, and in print.

sphinx-exercise's solutions, proofs, hints and plain admonitions all come here as nodes with a title.
"""

import re
from html import escape

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_proof.directive import ProofDirective

RUN_IN = re.compile(r"Proof\.( |$)")
LIST = re.compile(r"(\d+[.)]|[-*+]) ")


class Proof(ProofDirective):
    """A proof that may begin with a list: sphinx-proof puts the word Proof before the list's first line."""

    def run(self):
        if LIST.match(self.content[0]):
            self.content.insert(0, StringList(["", ""], self.content.source(0)))
        return super().run()


class fold(nodes.General, nodes.Element):  # noqa: N801 - docutils names node classes in lower case
    """A box that is closed at first; its first child is the title.

    One of the class `deep` is shut by a depth of the page alone; `tells` is what its title says besides.
    """


class FoldDropdowns(SphinxPostTransform):
    """Every admonition, proof or solution with class `dropdown` becomes a fold."""

    default_priority = 950  # after sphinx-proof and sphinx-exercise have titled theirs

    def run(self):
        for node in list(self.document.findall(is_dropdown)):
            classes = [name for name in node["classes"] if name != "dropdown"]
            title = take_title(node)
            if "solution" in classes:  # it stands under its exercise, whose name it need not repeat
                title = nodes.title("", "Solution")
            node.replace_self(fold("", title, *node.children, classes=["fold", *classes], ids=node["ids"]))


def is_dropdown(node):
    """Whether the node is a box that the source asks to fold; numbered ones (theorems) stay open."""
    return isinstance(node, nodes.Admonition) and "dropdown" in node["classes"] and "countertype" not in node


def take_title(node):
    """The box's title, removed from it; for a proof, the run-in word with which it begins."""
    for parent in (node, node.children[0]):  # sphinx-exercise and sphinx-proof wrap what follows the title
        if isinstance(parent.children[0], nodes.title):
            title = parent.children[0]
            parent.remove(title)
            return title
    title, first = nodes.title("", drop_run_in(node)), next(node.findall(nodes.paragraph), None)
    if first is not None and not first.astext():
        first.parent.remove(first)
    return title


def drop_run_in(node):
    """`Proof` out of the paragraph "Proof. Let ..."; "More" where a box has neither title nor run-in word."""
    opening = next(node.findall(nodes.Text), None)
    if opening is None or not RUN_IN.match(opening):
        return "More"
    opening.parent.replace(opening, nodes.Text(RUN_IN.sub("", opening)))
    return "Proof"


class NameOpenProofs(SphinxPostTransform):
    """Begins an open proof with an italic "Proof."; removes the ids that sphinx-proof repeats on a page."""

    default_priority = 960

    def run(self):
        for node in self.document.findall(nodes.admonition):
            if "proof" in node["classes"] and drop_run_in(node) == "Proof":
                first = next(node.findall(nodes.paragraph))
                first.insert(0, nodes.emphasis("", "Proof. "))
        for node in self.document.findall(nodes.Element):
            node["ids"] = [name for name in node.get("ids", []) if name not in REPEATED_IDS]


REPEATED_IDS = {"proof", "proof-content", "exercise-content", "solution-content"} | {
    f"{kind}-content"
    for kind in ("theorem", "lemma", "corollary", "proposition", "definition", "example", "remark")
}


def visit_fold(translator, node):
    """The HTML of a folded box; its summary holds no link, because a click on it opens the box.

    One of the class `deep` is built open: the depth in which the page is read shuts it (depths.py).
    """
    title, state = node.children[0], {"open": ""} if "deep" in node["classes"] else {}
    translator.body.append(translator.starttag(node, "details", **state))
    translator.body.append("<summary>")
    for child in unlinked(title):
        child.walkabout(translator)
    if node.get("tells"):
        translator.body.append(f'<span class="tells">{escape(node["tells"])}</span>')
    translator.body.append("</summary>\n")
    for child in node.children[1:]:
        child.walkabout(translator)
    translator.body.append("</details>\n")
    raise nodes.SkipNode


def unlinked(title):
    for child in title.children:
        yield from child.children if isinstance(child, nodes.reference) else [child]


def setup(app):
    app.add_directive_to_domain("prf", "proof", Proof, override=True)
    app.add_node(fold, html=(visit_fold, None))
    app.add_post_transform(FoldDropdowns)
    app.add_post_transform(NameOpenProofs)
