"""Excursions: whole sections at the end of a chapter that nothing before them needs, with letters.

The first line of such a section is the directive `{excursion} D`, with the results that it uses as `:uses:`.
Where the text could branch off, `{signpost} label` names the excursion in a line; its content describes it.
"""

import re
from typing import ClassVar

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from explorable.sphinx_ext.scopes import ancestors
from extensions.pages.depths import chapter_number, folded, is_chapter, lines
from extensions.pages.reading_time import minutes
from extensions.pages.statements import name_of
from extensions.pages.tree import link_to

NAME = re.compile(r"(\d+\.[A-Z]) (.*)")
LABEL = r"[^\s,]+"  # one of those that an excursion uses


class ExcursionHead(nodes.General, nodes.Element):
    """Stands below an excursion's heading for the line that says how long it takes and what it uses."""


class Signpost(nodes.General, nodes.Element):
    """Stands for the line that leads to an excursion; its children are what the author says of it."""


class Excursion(SphinxDirective):
    """`{excursion} D`: makes the section that begins with it excursion D of its chapter."""

    required_arguments = 1
    option_spec: ClassVar = {"uses": str}

    def run(self):
        (letter,) = self.arguments
        if not re.fullmatch("[A-Z]", letter):
            raise self.error(f"excursion: {letter!r} is no letter; write {{excursion}} A")
        uses = re.findall(LABEL, self.options.get("uses", ""))
        head = ExcursionHead(letter=letter, uses=uses)
        self.set_source_info(head)
        return [head]


class SignpostLine(SphinxDirective):
    """`{signpost} label`: the line that leads to that excursion; its content, if any, describes it."""

    required_arguments = 1
    has_content = True

    def run(self):
        line = Signpost(target=self.arguments[0])
        self.set_source_info(line)
        self.state.nested_parse(self.content, self.content_offset, line)
        return [line]


class NameExcursions(SphinxTransform):
    """Puts the letter before the heading of an excursion, so that contents and references show it."""

    default_priority = 400

    def apply(self, **kwargs):
        for head in list(self.document.findall(ExcursionHead)):
            section = head.parent
            if not is_chapter(self.env.docname) or not begins(head, section):
                raise fault(head, "an excursion is a section of a chapter and begins with its directive")
            section["excursion"] = name = f"{chapter_number(self.env.docname)}.{head['letter']}"
            section["classes"].append("excursion")
            section.children[0].insert(0, nodes.Text(f"{name} "))


def begins(head, section):
    """Whether a head is the first thing below the heading of a section of a page."""
    is_section = isinstance(section, nodes.section) and isinstance(section.parent, nodes.section)
    return is_section and isinstance(section.parent.parent, nodes.document) and section.index(head) == 1


def fault(node, said):
    return ExtensionError(f"{node.source}:{node.line}: {said}")


def is_excursion(node):
    return isinstance(node, nodes.section) and "excursion" in node


def excursion_of(node):
    """The excursion in which a node stands or that it is, None in the spine."""
    return next(filter(is_excursion, (node, *ancestors(node))), None)


class WriteExcursions(SphinxPostTransform):
    """Writes the heads of excursions and the signposts, and folds each excursion to its head."""

    default_priority = 964  # before parts of it are folded, in which case its minutes are those of all of it

    def run(self):
        sections = list(self.document.findall(is_excursion))
        known = self.env.metadata[self.env.docname].get("times", {}).get("excursions", {})
        for section in sections:
            name = section["excursion"]
            section["uses"] = head_of(section)["uses"]
            section["minutes"] = known[name] if name in known else max(1, minutes(section))
        told = {name: section for section in sections for name in section["ids"]}
        for signpost in list(self.document.findall(Signpost)):
            section = told.get(nodes.make_id(signpost["target"]))
            if section is None:
                raise fault(signpost, f"signpost: no excursion of this page is called {signpost['target']!r}")
            signpost.replace_self(self.line(signpost, section))
        for section in sections:
            self.write_head(section)

    def line(self, signpost, section):
        """The words of a signpost: the excursion's name as a link, what is there, its minutes and needs."""
        head, title = head_of(section), section.children[0].children[1:]
        link = nodes.reference(
            "", "", nodes.Text(section["excursion"]), internal=True, refid=section["ids"][0]
        )
        said = [part.deepcopy() for part in (signpost.children[0].children if signpost.children else title)]
        end = "" if signpost.children and ends_sentence(said) else "."
        parts = [nodes.strong("", "", link), nodes.Text(" "), *said, nodes.Text(f"{end} "), *self.needs(head)]
        return nodes.paragraph("", "", *parts, classes=["signpost"])

    def write_head(self, section):
        """The line below the heading, and the fold of all that follows."""
        head = head_of(section)
        parts = [*self.needs(head), nodes.Text(" Nothing in the spine uses it.")]
        head.replace_self(nodes.paragraph("", "", *parts, classes=["excursion-head"]))
        rest, name = section.children[2:], f"Excursion {section['excursion']}"
        if rest:
            folded(rest, "excursion-fold", name, lines(*rest))

    def needs(self, head):
        """`10 min, uses Theorem 6.1.`, with no line break before the unit."""
        parts = [nodes.Text(f"{head.parent['minutes']}\N{NO-BREAK SPACE}min")]
        for place, label in enumerate(head["uses"]):
            between = ", uses " if not place else " and " if label == head["uses"][-1] else ", "
            parts += [nodes.Text(between), self.link(head, label)]
        return [*parts, nodes.Text(".")]

    def link(self, head, label):
        """A link to a result by its number, or to an excursion by its letter."""
        try:
            page, place, name = place_of(self.env, label)
        except KeyError:
            said = f"excursion: uses {label!r}, which is the label of no result or excursion"
            raise fault(head, said) from None
        return link_to(self, page, place, name)


def place_of(env, label):
    """The page of a result or an excursion, its place there, its name; a KeyError if the label has none."""
    if label in getattr(env, "proof_list", {}):
        return env.proof_list[label]["docname"], label, name_of(env, label)
    page, place, title = env.get_domain("std").labels[label]
    if not (named := NAME.match(title)):
        raise KeyError(label)
    return page, place, f"Excursion {named[1]}"


def ends_sentence(parts):
    """Whether words end with a full stop or a question mark, which a formula at the end has with it."""
    last = next(part for part in reversed(parts) if part.astext())
    end = last.get("after", "") if isinstance(last, nodes.math) else last.astext()
    return end.endswith((".", "?"))


def head_of(section):
    return next(section.findall(ExcursionHead))


def mark_in_contents(app, doctree):
    """Marks the excursions of a page in the contents, which show them as a group."""
    ids = {f"#{section['ids'][0]}" for section in doctree.findall(is_excursion)}
    for link in app.env.tocs[app.env.docname].findall(nodes.reference):
        item = link.parent.parent
        if link["anchorname"] in ids and isinstance(item, nodes.list_item):
            item["classes"].append("excursion")


def setup(app):
    for node in (ExcursionHead, Signpost):
        app.add_node(node)
    app.add_directive("excursion", Excursion)
    app.add_directive("signpost", SignpostLine)
    app.add_transform(NameExcursions)
    app.add_post_transform(WriteExcursions)
    app.connect("doctree-read", mark_in_contents)
