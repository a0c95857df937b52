"""Explorables in the built page: tells kernels to bake, writes the figures, publishes their tables.

Knows the data that a cell's output carries under a type of its own, not the library that made them.
Styling is the theme's: its stylesheet holds the library's explorable.css.
"""

import gzip
import hashlib
import json
import os
import shutil
from pathlib import Path

import fresh_execution
from docutils import nodes
from myst_nb.core import render
from sphinx.errors import ExtensionError
from sphinx.util.osutil import relative_uri

MIME = "application/vnd.margins.explorable+json"
FRAMES = "_static/explorables"
MAX_PAGE_BYTES = 300_000  # of all tables of a page, gzipped
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
        node = Explorable("", moves=moves, body=figure["body"], spec=as_data(figure.get("spec")))
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


def as_data(spec):
    """JSON that no value can end early when it stands in a <script>; the cache does not keep key order."""
    return json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def asked(parser, question, answer, jump, data):
    """A prompt with its answer folded away."""
    folded = Answer("", parsed(parser, nodes.paragraph(), answer, data), jump=jump)
    return nodes.list_item("", parsed(parser, nodes.paragraph(), question, data), folded)


def parsed(parser, node, text, data):
    """`node` with the inline MyST of `text` in it."""
    with parser.current_node_context(node):
        parser.nested_render_text(text, data.line or 0, inline=True)
    return node


def store(env, table):
    """The name of the file beside the doctrees that holds `table`: it lives and dies with them."""
    content = as_data(table).encode()
    key = hashlib.sha256(content).hexdigest()[:16]
    folder = Path(env.app.doctreedir, "explorables")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{key}.json").write_bytes(content)
    return f"{key}.json"


def words_name_marks(app, doctree, page):
    """Links to a figure whose title names a mark light it; a title that names none stops the build."""
    for link in doctree.findall(nodes.reference):
        target = link.get("refid") or link.get("refuri", "").removeprefix("#")
        title = link.get("reftitle", "")
        table = figures(app.env).get(page, {}).get(target)
        if table and title and title not in marks_of(app.env, table):
            known = ", ".join(sorted(marks_of(app.env, table)))
            raise ExtensionError(f"{app.env.doc2path(page)}: {target} has no mark {title!r}; it has {known}")


def marks_of(env, table):
    """The keys and links of the marks in the table of that name."""
    marks = json.loads(Path(env.app.doctreedir, "explorables", table).read_text("utf8"))["marks"]
    return {mark.get("l", mark["k"]) for mark in marks if not any("axis" in look for look in mark["s"])}


def caption_of(figure):
    """What Sphinx calls a figure; it numbers none without a caption."""
    return figure.next_node(Caption).astext()


def number_of(env, docname, figure):
    """The number that a figure bears on its page."""
    (name,) = figure["ids"]
    return ".".join(map(str, env.toc_fignumbers[docname]["figure"][name]))


def told_apart(app, env):
    """A name belongs to one figure of the whole book: every page refers to it by that name alone."""
    home = {}
    for page in sorted(figures(env)):
        for name in figures(env)[page]:
            if home.setdefault(name, page) != page:
                problem = f"its figure {name!r} has the name of one of {env.doc2path(home[name])}"
                raise ExtensionError(f"{env.doc2path(page)}: {problem}; give one another name")


def weigh(app, env):
    """All tables of a page together must stay light."""
    for page, found in figures(env).items():
        size = sum(weight(env, table) for table in found.values() if table)
        if size > MAX_PAGE_BYTES:
            problem = f"its figures weigh {size / 1000:.0f} kB gzipped of {MAX_PAGE_BYTES // 1000}"
            raise ExtensionError(f"{env.doc2path(page)}: {problem}; see which table is largest in {FRAMES}")


def weight(env, table):
    """The bytes of a table gzipped; its name says its content, so that each is pressed once."""
    if not hasattr(env, "table_weights"):
        env.table_weights = {}
    if table not in env.table_weights:
        content = Path(env.app.doctreedir, "explorables", table).read_bytes()
        env.table_weights[table] = len(gzip.compress(content, mtime=0))
    return env.table_weights[table]


def figures(env):
    """By page: the ids of its figures and the files that hold their frames."""
    if not hasattr(env, "explorables"):
        env.explorables = {}
    return env.explorables


def enlist(env, node, line):
    """Note the figure of the page being read; two of one name cannot be told apart."""
    (name,), page = node["ids"], figures(env).setdefault(env.docname, {})
    if name in page:
        place = f"{env.doc2path(env.docname)}:{line}"
        raise ExtensionError(f"{place}: the page has two figures {name!r}; give one another name")
    page[name] = node["frames"]


def purge(app, env, docname):
    figures(env).pop(docname, None)


def merge(app, env, docnames, other):
    figures(env).update({page: content for page, content in figures(other).items() if page in docnames})


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


def publish_frames(app, failure):
    """The frames that some page uses into the site; those that none uses away."""
    if failure or app.builder.format != "html":
        return
    kept, site = Path(app.doctreedir, "explorables"), Path(app.outdir, FRAMES)
    wanted = {frames for page in figures(app.env).values() for frames in page.values() if frames}
    site.mkdir(parents=True, exist_ok=True)
    for frames in wanted:
        shutil.copyfile(kept / frames, site / frames)
    for stale in (file for folder in (kept, site) if folder.is_dir() for file in folder.iterdir()):
        if stale.name not in wanted:
            stale.unlink()


def setup(app):
    os.environ["MARGINS_BAKE"] = "1"  # the kernels inherit it
    app.setup_extension("fresh_execution")
    renderers = render.load_mime_renders()  # a cached list: no entry point is needed
    renderers[:] = [r for r in renderers if r.__name__ != MimeRenderer.__name__] + [MimeRenderer]
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (descend, descend))
    app.add_enumerable_node(Explorable, "figure", caption_of, html=(visit, descend), **others)
    app.add_node(Caption, html=(visit_caption, depart_caption), **others)
    app.add_node(Answer, html=(visit_answer, depart_answer), **others)
    app.connect("doctree-resolved", words_name_marks)
    app.connect("builder-inited", publish_script)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", told_apart)
    app.connect("env-updated", weigh)
    app.connect("html-page-context", link_script)
    app.connect("build-finished", publish_frames)
    return {"version": "1", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
