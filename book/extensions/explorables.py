"""Explorables in the built page: tells kernels to bake, makes nodes of what they show, writes those as HTML.

Knows the data that a cell's output carries under a type of its own, not the library that made them.
Styling is the theme's: its stylesheet holds the library's explorable.css.
"""

import os
import shutil
from pathlib import Path

import fresh_execution
from docutils import nodes
from explorable_tables import FRAMES, as_json, store
from figure_register import enlist, figures
from myst_nb.core import render
from sphinx.util.osutil import relative_uri

MIME = "application/vnd.margins.explorable+json"
SCRIPT = "explorable.js"


class Explorable(nodes.General, nodes.Element):
    """One figure, numbered as Sphinx numbers figures; its children are the caption and the prompts."""


class Caption(nodes.General, nodes.TextElement):
    """The figure's caption, read as MyST."""


class Answer(nodes.General, nodes.Element):
    """What a prompt's reader unfolds, with the button that shows it on the figure."""


class MimeRenderer:
    """What MyST-NB asks for the nodes of an output."""

    mime_priority_overrides = (("*", MIME, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """The figure's node; its table of frames goes to a file named by its content."""
        if data.mime_type != MIME or inline:
            return None
        parser, figure = renderer.renderer, data.content
        moves = "table" in figure
        node = Explorable("", moves=moves, body=figure["body"], spec=as_json(figure.get("spec")))
        node["ids"] = [f"{'ex' if moves else 'fig'}-{figure['name']}"]
        node["frames"] = store(parser.sphinx_env, figure["table"]) if moves else None
        enlist(parser.sphinx_env, node, data.line)
        node += parsed(parser, Caption(), figure["caption"], data)
        if figure["prompts"]:
            prompts = (asked(parser, *prompt, data) for prompt in figure["prompts"])
            node += nodes.bullet_list("", *prompts, classes=["explorable-prompts"])
        node["names"] = list(node["ids"])
        parser.document.note_explicit_target(node, node)  # so that pages can refer to it
        return [node]


def asked(parser, question, answer, jump, data):
    """A prompt with its answer folded away."""
    folded = Answer("", parsed(parser, nodes.paragraph(), answer, data), jump=jump)
    return nodes.list_item("", parsed(parser, nodes.paragraph(), question, data), folded)


def parsed(parser, node, text, data):
    """`node` with the inline MyST of `text` in it."""
    with parser.current_node_context(node):
        parser.nested_render_text(text, data.line or 0, inline=True)
    return node


def caption_of(figure):
    """What Sphinx calls a figure; it numbers none without a caption."""
    return figure.next_node(Caption).astext()


def visit(translator, node):
    """The figure's markup up to its caption, which ends it; the prompts follow."""
    (name,) = node["ids"]
    caption = f'aria-labelledby="{name}-caption"'
    if not node["moves"]:
        translator.body.append(f'<figure class="figure" id="{name}" {caption}>{node["body"]}')
        return
    builder = translator.builder
    page = builder.get_target_uri(builder.current_docname)
    frames = relative_uri(page, f"{FRAMES}/{node['frames']}")
    translator.body.append(
        f'<figure class="explorable" id="{name}" data-source="baked" data-frames="{frames}" {caption}>'
        f'<script type="application/json">{node["spec"]}</script>{node["body"]}'
    )


def visit_caption(translator, node):
    """The caption; number and words, but not the permalink, are the figure's name."""
    (name,) = node.parent["ids"]
    translator.body.append(f'<figcaption><span id="{name}-caption">')
    translator.add_fignumber(node.parent)


def depart_caption(translator, node):
    translator.body.append("</span>")
    translator.add_permalink_ref(node.parent, "Link to this figure")
    translator.body.append("</figcaption></figure>\n")


def visit_answer(translator, node):
    translator.body.append('<details class="explorable-answer"><summary>Answer</summary>')


def depart_answer(translator, node):
    translator.body.append(f"{node['jump']}</details>")


def descend(translator, node):
    """No output of its own: other builders get the caption and the prompts."""


def link_script(app, pagename, templatename, context, doctree):
    """The module, on pages that need it."""
    single = app.builder.name == "singlehtml"
    pages = figures(app.env).values() if single else [figures(app.env).get(pagename, {})]
    if any(frames for page in pages for frames in page.values()):
        app.add_js_file(SCRIPT, type="module")


def publish_script(app):
    """The reader's side from the installed library into the site, before pages ask for its checksum."""
    if app.builder.format == "html":
        target = Path(app.outdir, "_static", SCRIPT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(fresh_execution.library() / "explore" / SCRIPT, target)


def setup(app):
    os.environ["MARGINS_BAKE"] = "1"  # the kernels inherit it
    app.setup_extension("fresh_execution")
    app.setup_extension("explorable_tables")
    renderers = render.load_mime_renders()  # a cached list: no entry point is needed
    renderers[:] = [r for r in renderers if r.__name__ != MimeRenderer.__name__] + [MimeRenderer]
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (descend, descend))
    app.add_enumerable_node(Explorable, "figure", caption_of, html=(visit, descend), **others)
    app.add_node(Caption, html=(visit_caption, depart_caption), **others)
    app.add_node(Answer, html=(visit_answer, depart_answer), **others)
    app.connect("builder-inited", publish_script)
    app.connect("html-page-context", link_script)
    return {"version": "1", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
