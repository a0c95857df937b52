"""The story of a chapter: what of its scenes, its title, its links and its figures ends the build."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError

from explorable.sphinx_ext.figures import FigureNode
from extensions.pages.stories import InChapter, WriteStories, check_stories, make_scene

STORY, CHAPTER = "stories/06_small", "chapters/06_small"
FIGURE, WORDS, FORMULA = FigureNode(), nodes.paragraph("", "word " * 750), nodes.math_block("", "a=b")
LINK = InChapter(section="first-part")


def environment(**more):
    known = {"A page": "", "First": "#first-part"}
    links = [nodes.reference("", title, anchorname=name) for title, name in known.items()]
    return SimpleNamespace(
        docname=STORY,
        found_docs={STORY, CHAPTER},
        doc2path=lambda name: f"{name}.md",
        tocs={CHAPTER: nodes.bullet_list("", *links)},
        **more,
    )


def writing(*parts):
    document = new_document("page")
    document.settings.env = environment()
    document += nodes.section("", *parts)
    return WriteStories(document)


def scene(*parts):
    made = nodes.section("", nodes.title("", "A factor"), *(part.deepcopy() for part in parts))
    make_scene(made, "page.md")
    return [name for box in made.children[1:] for name in box["classes"]]


def test_a_scene_is_sorted_into_figure_text_and_formula():
    assert scene(FORMULA, WORDS, FIGURE, LINK, WORDS) == ["scene-figure", "scene-text", "scene-formula"]
    assert scene(WORDS, FIGURE, LINK) == ["scene-figure", "scene-text"]


@pytest.mark.parametrize(
    ("parts", "counts"),
    [
        ([FIGURE, FORMULA, WORDS, FORMULA, LINK], "1 of figure, 1 of text, 2 of formula, 1 of link"),
        ([FIGURE, WORDS], "1 of figure, 1 of text, 0 of formula, 0 of link"),
        ([FIGURE, FIGURE, WORDS, LINK], "2 of figure"),
        ([FIGURE, LINK], "1 of figure, 0 of text"),
    ],
)
def test_a_scene_with_too_little_or_too_much_ends_the_build(parts, counts):
    with pytest.raises(ExtensionError, match=f"page.md: the scene 'A factor' has {counts}"):
        scene(*parts)


def test_a_title_with_other_minutes_ends_the_build():
    story = writing(nodes.title("", "Chapter 6 in 20 minutes: What is it?"), WORDS.deepcopy())
    with pytest.raises(ExtensionError, match="expected 'Chapter 6 in 5 minutes: ', which it takes to read"):
        story.write_head(STORY)


def test_a_link_to_no_section_ends_the_build():
    with pytest.raises(ExtensionError, match="has no section 'end'; it has first-part, opening"):
        writing(InChapter(section="end")).write_links(CHAPTER)


@pytest.mark.parametrize(
    ("figures", "message"),
    [
        (
            {CHAPTER: {"ex-a": "one.json"}, STORY: {"ex-a-1": "one.json", "ex-b-1": "two.json"}},
            "ex-b-1 shows",
        ),
        ({"stories/07_other": {}}, "there is no chapter chapters/07_other"),
    ],
)
def test_a_figure_or_a_story_without_its_chapter_ends_the_build(figures, message):
    env = environment(explorables=figures)
    env.found_docs |= {*figures}
    with pytest.raises(ExtensionError, match=message):
        check_stories(None, env)
