"""A page for each module of the library, made from its docstrings: `{library} margins.kernels`.

Every public name has a section: how it is called, what it is, where the book speaks of it, an example.
Constants of a line each that follow one another share one, as a list.
"""

import re
from itertools import groupby

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

from extensions.pages.excursions import NAME
from extensions.pages.library_source import ROOT, file_of, imports, introduction, places, public
from extensions.pages.tree import files_of_repository

CODE = re.compile(r"`([^`]+)`")
COLOUR = re.compile(r'"(#[0-9a-f]{6})"$')


class Place(nodes.General, nodes.Element):
    """Where the book speaks of a name: filled in when all pages have been read."""


class LibraryModule(SphinxDirective):
    """`{library} MODULE`: what it is for, and a section for each of its public names."""

    required_arguments = 1

    def run(self):
        (module,) = self.arguments
        found = public(module)
        for file in {one.file for one in found}:
            self.env.note_dependency(str(file))
        self.names = {one.name for one in found}
        return [*prose(introduction(module)), *self.sections(found)]

    def sections(self, found):
        """A section for each name, and one for short constants of a file that follow one another."""
        for (_, is_short), group in groupby(found, lambda one: (one.file, one.is_short)):
            members = list(group)
            if is_short and len(members) > 1:
                yield self.constants(members)
            else:
                yield from map(self.section, members)

    def constants(self, members):
        """A list of constants, each with the comment on its line."""
        first, last = members[0], members[-1]
        section = nodes.section(ids=[f"{first.module}.constants"])
        section += nodes.title("", "Constants")
        if first.file != file_of(first.module):
            section += prose(introduction(f"{first.module}.{first.file.stem}"))
        section += nodes.bullet_list("", *map(self.constant, members), classes=["constants"])
        section += nodes.paragraph("", "", self.source(first, last), classes=["whereabouts"])
        return section

    def constant(self, one):
        """A constant's line, a colour's with a swatch before it."""
        colour = COLOUR.search(one.signature)
        line = nodes.paragraph("", "", *([swatch(colour[1])] if colour else []))
        line += nodes.literal("", one.signature)
        line += [nodes.Text(": "), *inline(one.remark)] if one.remark else []
        item = nodes.list_item("", line)
        self.label(item, one)
        return item

    def section(self, one):
        """A public name's section."""
        section = nodes.section()
        self.label(section, one)
        section += nodes.title("", "", nodes.literal("", one.name))
        section += block(one.signature, "python")
        section += prose(one.words)
        section += definitions([*one.fields, *one.methods])
        section += example(one)
        section += self.whereabouts(one)
        return section

    def whereabouts(self, one):
        """Its places in the book, and its line in the repository."""
        paragraph = nodes.paragraph(classes=["whereabouts"])
        if one.places:
            paragraph += [nodes.Text("In the book: "), Place(text=one.places), nodes.Text(". ")]
        paragraph += self.source(one, one)
        return paragraph

    def source(self, first, last):
        """A link to the lines of the repository from one name to another."""
        lines = f"#L{first.node.lineno}" + (f"-L{last.node.lineno}" if last is not first else "")
        return nodes.reference(
            "", "Source", refuri=f"{files_of_repository(self.config)}/{first.file.relative_to(ROOT)}{lines}"
        )

    def label(self, node, one):
        """The place of a name, to which `[text](#margins.module.name)` leads.

        Labels have no capitals: of `Traits` and `traits` the second, the function, has the label.
        """
        target = f"{one.module}.{one.name}"
        node["ids"] = [target]
        if one.name == (label := one.name.lower()) or label not in self.names:
            node["names"] = [target.lower()]
            self.state.document.note_explicit_target(node, node)


def swatch(colour):
    """A small rectangle in a colour."""
    return nodes.raw("", f'<span class="swatch" style="background:{colour}"></span> ', format="html")


def prose(text):
    """The paragraphs, lists and definitions of a docstring."""
    return [node for part in re.split(r"\n\s*\n", text) if part.strip() for node in paragraph(part)]


def paragraph(text):
    """One paragraph: plain, a list of lines that begin with a dash, or the entries under a ruled heading."""
    lines = text.splitlines()
    if len(lines) > 1 and set(lines[1].strip()) == {"-"}:
        return [nodes.paragraph("", "", nodes.strong("", lines[0])), *definitions(entries(lines[2:]))]
    if not any(line.startswith("- ") for line in lines):
        return [nodes.paragraph("", "", *inline(text))]
    first = next(number for number, line in enumerate(lines) if line.startswith("- "))
    items = re.split(r"^- ", "\n".join(lines[first:]), flags=re.MULTILINE)[1:]
    listed = nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph("", "", *inline(i))) for i in items))
    return [*(paragraph("\n".join(lines[:first])) if first else ()), listed]


def entries(lines):
    """Pairs of `name : kind` and the indented words below it."""
    found = []
    for line in lines:
        if line.startswith(" "):
            name, words = found[-1]
            found[-1] = name, f"{words} {line.strip()}".strip()
        else:
            name, _, rest = line.partition(" : ")
            found.append((name, rest) if rest.endswith(".") else (line, ""))
    return found


def inline(text):
    """Text on one line, what stands between backticks as code."""
    parts = CODE.split(" ".join(text.split()))
    return [nodes.literal("", part) if odd % 2 else nodes.Text(part) for odd, part in enumerate(parts)]


def definitions(pairs):
    """A list of names and their words; nothing, if there are none."""
    if not pairs:
        return []
    items = [
        nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal("", name)),
            nodes.definition("", nodes.paragraph("", "", *inline(words))),
        )
        for name, words in pairs
    ]
    return [nodes.definition_list("", *items)]


def example(one):
    """The examples as one would paste them, imports first, and what they answer below."""
    found, code = [], f"{imports(one)}\n\n" if one.examples else ""
    for source, answer in one.examples:
        code += source
        if answer:
            found.append(cell(code, answer))
            code = ""
    return [*found, cell(code, "")] if code else found


def cell(code, answer):
    """A piece of code in the look of a chapter's cell, with its answer."""
    inside = [nodes.container("", block(code.rstrip(), "python"), classes=["cell_input"])]
    if answer:
        inside += [nodes.container("", block(answer.rstrip(), "none"), classes=["cell_output"])]
    return nodes.container("", *inside, classes=["cell"])


def block(text, language):
    return nodes.literal_block(text, text, language=language)


class FillPlaces(SphinxPostTransform):
    """Links to the sections that docstrings name."""

    default_priority = 8

    def run(self):
        chapters = None
        for node in list(self.document.findall(Place)):
            chapters = chapters or sections_by_title(self.env)
            named = places(node["text"], {title: found for title, (_, found) in chapters.items()})
            node.replace_self(list(self.links(named, chapters)))

    def links(self, named, chapters):
        for number, (title, section) in enumerate(named):
            if number:
                yield nodes.Text("; ")
            page, sections = chapters[title]
            text, target = (title, "") if section is None else (f"{title}, {section}", sections[section])
            yield make_refnode(self.app.builder, self.env.docname, page, target, nodes.Text(text))


def sections_by_title(env):
    """By the title of every page its name and, by their titles, the places of its sections."""
    found = {}
    for page in sorted(env.tocs, key=lambda name: (not name.startswith("chapters/"), name)):
        title, *links = env.tocs[page].findall(nodes.reference)
        found[plain(title)] = page, {plain(link): link["anchorname"][1:] for link in links}
    return found


def plain(link):
    """The text of a link as its source has it: no name before an excursion, no minutes behind it."""
    words = (part for part in link if not (isinstance(part, nodes.Element) and "minutes" in part["classes"]))
    text = "".join(part.astext() for part in words).strip().replace("’", "'")
    named = NAME.fullmatch(text)
    return named[2] if named else text


def setup(app):
    app.add_node(Place)
    app.add_directive("library", LibraryModule)
    app.add_post_transform(FillPlaces)
