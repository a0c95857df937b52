"""The stories of the chapters (`stories/`): pages of scenes, each with a figure that starts in a state.

The story of a chapter has the name of its page. A section is a scene: its heading says its point, the rest is
sorted into figure, text and formula, and `{in-chapter}` links to the section of the chapter. The figures are
copies of the chapter's (`Explorable.at`) and use its tables. No code is shown.
A script shows the scenes as slides.
"""

import re

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import clean_astext

from explorable.sphinx_ext.figures import FigureNode
from explorable.sphinx_ext.register import figures
from extensions.pages.chapter_times import OPENING, times_of_chapters
from extensions.pages.depths import CHAPTER, chapter_number
from extensions.pages.reading_time import minutes, said, short
from extensions.pages.tree import is_cell, link_to, note_page

FOLDER, CHAPTERS = "stories/", "chapters/"
SCRIPT = "present.js"
TITLE = re.compile(r"Chapter (\d+) in (\d+ minutes): ")


def is_story(docname):
    return docname.startswith(FOLDER)


def chapter_of(story):
    """The page of the chapter that a story tells."""
    return story.replace(FOLDER, CHAPTERS, 1)


def sections_of(env, chapter):
    """The titles of a chapter's sections by their names in addresses."""
    places = env.tocs[chapter].findall(nodes.reference)
    known = {link["anchorname"].removeprefix("#"): link.astext() for link in places}
    known[OPENING] = known.pop("")
    return known


class InChapter(nodes.General, nodes.Element):
    """The place of the link to a section of the chapter, by the section's name in addresses."""


class InChapterLine(SphinxDirective):
    """`{in-chapter} attention-by-hand`, last in a scene; `opening` is what stands before all sections."""

    required_arguments = 1

    def run(self):
        return [InChapter(section=self.arguments[0])]


def make_scenes(app, doctree):
    """Sorts the sections of a story, and takes out its cells of code."""
    docname = app.env.docname
    if not is_story(docname):
        return
    note_page(app.env)
    for section in doctree.findall(nodes.section):
        if isinstance(section.parent, nodes.section):
            make_scene(section, app.env.doc2path(docname))
    for cell in list(doctree.findall(is_cell)):
        cell.parent.remove(cell)


def make_scene(section, page):
    """A scene: the heading, then a box each for figure, text and formula, then the link."""
    heading, *parts = section.children
    boxes = {kind: [] for kind in ("figure", "text", "formula", "link")}
    for part in parts:
        boxes[kind_of(part)].append(part)
    figures_of_scene = [figure for part in boxes["figure"] for figure in part.findall(FigureNode)]
    counts = {kind: len(found) for kind, found in boxes.items()} | {"figure": len(figures_of_scene)}
    if counts["figure"] != 1 or counts["link"] != 1 or counts["formula"] > 1 or not counts["text"]:
        expected = "expected one figure, text, one formula at most, and one {in-chapter}"
        told = ", ".join(f"{count} of {kind}" for kind, count in counts.items())
        raise ExtensionError(f"{page}: the scene {heading.astext()!r} has {told}; {expected}")
    section["classes"].append("scene")
    section.children = [heading]
    section += box("figure", figures_of_scene)
    section += box("text", boxes["text"])
    section += [box("formula", boxes["formula"])] if boxes["formula"] else []
    section += boxes["link"]


def kind_of(part):
    """The kind of a part of a scene."""
    if next(part.findall(FigureNode), None) is not None:
        return "figure"
    kinds = {nodes.math_block: "formula", InChapter: "link"}
    return kinds.get(type(part), "text")


def box(kind, parts):
    return nodes.container("", *parts, classes=[f"scene-{kind}"])


def check_stories(app, env):
    """Refuses a story without a chapter, and a figure that is none of the chapter's with its data."""
    for page in filter(is_story, sorted(env.found_docs)):
        chapter, source = chapter_of(page), env.doc2path(page)
        if chapter not in env.found_docs:
            raise ExtensionError(f"{source}: there is no chapter {chapter}; a story has the name of its page")
        known = set(figures(env).get(chapter, {}).values()) - {None}
        strangers = [name for name, table in figures(env).get(page, {}).items() if table not in known]
        if strangers:
            problem = f"{', '.join(strangers)} shows what no figure of {env.doc2path(chapter)} shows"
            raise ExtensionError(f"{source}: {problem}; use its figures, with its data")
    return []  # no page is out of date for it


class WriteStories(SphinxPostTransform):
    """Writes the line at the top of a story, its links to the chapter, and the chapter's link to it."""

    default_priority = 969  # when times are told, and folds made

    def run(self):
        docname = self.env.docname
        if is_story(docname):
            self.write_head(docname)  # before the links to the chapter, which the time does not count
            self.write_links(chapter_of(docname))
        story = docname.replace(CHAPTERS, FOLDER, 1)
        if docname.startswith(CHAPTERS) and story in self.env.found_docs:
            self.write_way_to(story)

    def write_head(self, docname):
        """`15 minutes. The whole, with proofs: Chapter 3, The softmax kernel (1 h 20 min).`"""
        chapter, number = chapter_of(docname), chapter_number(docname)
        title, time = self.document.next_node(nodes.title), said(minutes(self.document))
        told = TITLE.match(title.astext())
        if not told or told.groups() != (str(number), time):
            problem = f"the title is {title.astext()!r}; expected 'Chapter {number} in {time}: '"
            raise ExtensionError(f"{self.env.doc2path(docname)}: {problem}, which it takes to read")
        whole = short(times_of_chapters(self.env)[chapter][CHAPTER])
        to_chapter = link_to(self, chapter, "", f"Chapter {number}, {clean_astext(self.env.titles[chapter])}")
        begins = nodes.Text(f"{time.capitalize()}. The whole, with proofs: ")
        parts = [begins, to_chapter, nodes.Text(f" ({whole}).")]
        title.parent.insert(1, nodes.paragraph("", "", *parts, classes=["story-head"]))

    def write_links(self, chapter):
        """Writes the link of each scene, with the title of the section to which it leads."""
        known = sections_of(self.env, chapter)
        for place in list(self.document.findall(InChapter)):
            name = place["section"]
            if name not in known:
                problem = f"in-chapter: {chapter} has no section {name!r}; it has {', '.join(known)}"
                raise ExtensionError(f"{self.env.doc2path(self.env.docname)}: {problem}")
            there = link_to(self, chapter, "" if name == OPENING else name, known[name])
            words = nodes.Text("In the chapter: ")
            place.replace_self(nodes.paragraph("", "", words, there, classes=["scene-link"]))

    def write_way_to(self, story):
        """The link to a chapter's story, behind the paragraph that asks the chapter's question."""
        called = clean_astext(self.env.titles[story]).partition(":")[0]
        parts = [nodes.Text("The story: "), link_to(self, story, "", called)]
        first = self.document.next_node(nodes.paragraph)
        first.parent.insert(
            first.parent.index(first) + 1, nodes.paragraph("", "", *parts, classes=["to-story"])
        )


def tell_template(app, pagename, templatename, context, doctree):
    context["is_story"] = is_story(pagename)
    if is_story(pagename):
        app.add_js_file(SCRIPT, type="module", priority=600)  # after the figures' script, which it calls


def setup(app):
    app.add_node(InChapter)
    app.add_directive("in-chapter", InChapterLine)
    app.connect("doctree-read", make_scenes, priority=700)  # when figures and their cells are found
    app.connect("env-get-updated", check_stories, priority=400)  # before times are measured
    app.connect("html-page-context", tell_template)
    app.add_post_transform(WriteStories)
