"""Figures as nodes of a page: made from the outputs of cells, written as HTML."""

from typing import Any

from docutils import nodes
from myst_nb.core import render
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from explorable.figures import MIME
from explorable.markup import as_json
from explorable.sphinx_ext.register import add
from explorable.sphinx_ext.tables import FRAMES, store


class FigureNode(nodes.General, nodes.Element):
    """One figure, numbered as Sphinx numbers figures; its children are the caption and the prompts.

    A theme that gives the figure a page of its own says in `alone` where it is, from the root of the site.
    """


class CopyNode(FigureNode):
    """A figure that starts elsewhere than the one it is a copy of: no number, and no label to refer to."""


class CaptionNode(nodes.General, nodes.TextElement):
    """The figure's caption, read as MyST."""


class AnswerNode(nodes.General, nodes.Element):
    """What a prompt's reader unfolds, with the button that shows it; before it, where a guess is compared."""


class StateNode(nodes.Inline, nodes.Element):
    """A state that the text gives to a figure, at its place in the text."""


class MimeRenderer:
    """What MyST-NB asks for the nodes of an output."""

    mime_priority_overrides = (("*", MIME, 1),)

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Node] | None:
        """The figure's node; its table of frames goes to a file named by its content."""
        if data.mime_type != MIME or inline:
            return None
        parser, figure = renderer.renderer, data.content
        moves, is_copy = "table" in figure, figure.get("is_copy", False)
        kind = CopyNode if is_copy else FigureNode
        node = kind("", moves=moves, body=figure["body"], spec=as_json(figure.get("spec")))
        name = figure["name"]
        if is_copy:  # several pages may have copies of one figure, which count by themselves
            name = f"{nodes.make_id(parser.sphinx_env.docname)}-{name}"
        node["ids"] = [f"{'ex' if moves else 'fig'}-{name}"]
        node["dock"], node["until"] = figure["place"]["dock"], figure["place"]["until"]
        node["frames"] = store(parser.sphinx_env, figure["table"]) if moves else None
        add(parser.sphinx_env, node, data.line)
        node += parsed(parser, CaptionNode(), figure["caption"], data)
        if figure["prompts"]:
            items = (prompt_item(parser, prompt, data) for prompt in figure["prompts"])
            node += nodes.bullet_list("", *items, classes=["explorable-prompts"])
        if not is_copy:
            node["names"] = list(node["ids"])
            parser.document.note_explicit_target(node, node)  # so that pages can refer to it
        return [node]


def prompt_item(parser: Any, prompt: tuple[str, str, str, str], data: Any) -> nodes.list_item:
    """A prompt (question, answer, button, comparison of a guess) with its answer folded away."""
    question, answer, button, comparison = prompt
    paragraph = parsed(parser, nodes.paragraph(), answer, data)
    folded = AnswerNode("", paragraph, button=button, comparison=comparison)
    return nodes.list_item("", parsed(parser, nodes.paragraph(), question, data), folded)


def parsed(parser: Any, node: nodes.Element, text: str, data: Any) -> nodes.Element:
    """`node` with the inline MyST of `text` in it."""
    with parser.current_node_context(node):
        parser.nested_render_text(text, data.line or 0, inline=True)
    return node


def caption_of(figure: nodes.Element) -> str:
    """The title of a figure for Sphinx, which numbers none without one."""
    caption: Any = figure.next_node(CaptionNode)
    return caption.astext()


def visit(translator: Any, node: nodes.Element) -> None:
    """The figure's HTML up to its caption, which ends it; the prompts follow."""
    (name,) = node["ids"]
    caption = f'aria-labelledby="{name}-caption"'
    builder = translator.builder
    page = builder.get_target_uri(builder.current_docname)
    if "alone" in node:
        caption += f' data-alone="{relative_uri(page, node["alone"])}"'
    if not node["moves"]:
        translator.body.append(f'<figure class="figure" id="{name}" {caption}>{node["body"]}')
        return
    frames = relative_uri(page, f"{FRAMES}/{node['frames']}")
    line = '<p class="explorable-follows" role="status"></p>' if node.get("follows") else ""
    translator.body.append(
        f'<figure class="explorable" id="{name}" data-source="baked" data-frames="{frames}" {caption}>{line}'
        f'<script type="application/json">{node["spec"]}</script>{node["body"]}'
    )


def visit_caption(translator: Any, node: Any) -> None:
    """The caption; number and words, but not the permalink, are the figure's name."""
    (name,) = node.parent["ids"]
    translator.body.append(f'<figcaption><span id="{name}-caption">')
    translator.add_fignumber(node.parent)


def depart_caption(translator: Any, node: nodes.Element) -> None:
    translator.body.append("</span>")
    translator.add_permalink_ref(node.parent, "Link to this figure")
    translator.body.append("</figcaption></figure>\n")


def visit_answer(translator: Any, node: nodes.Element) -> None:
    fold = '<details class="explorable-answer"><summary>Answer</summary>'
    translator.body.append(node["comparison"] + fold)


def depart_answer(translator: Any, node: nodes.Element) -> None:
    translator.body.append(f"{node['button']}</details>")


def no_output(translator: Any, node: nodes.Element) -> None:
    """Nothing for the node itself: builders of other formats write the caption and the prompts alone."""


def connect(app: Sphinx) -> None:
    """The renderer for MyST-NB, and the nodes with their HTML."""
    renderers = render.load_mime_renders()  # a cached list: no entry point is needed
    renderers[:] = [r for r in renderers if r.__name__ != MimeRenderer.__name__] + [MimeRenderer]
    others: Any = dict.fromkeys(("latex", "text", "man", "texinfo"), (no_output, no_output))
    app.add_enumerable_node(FigureNode, "figure", caption_of, html=(visit, no_output), **others)
    app.add_node(CopyNode, html=(visit, no_output), **others)
    app.add_node(CaptionNode, html=(visit_caption, depart_caption), **others)
    app.add_node(AnswerNode, html=(visit_answer, depart_answer), **others)
