"""A page for each figure alone, `figures/03_softmax_kernel/votes.html`, to be linked, and framed elsewhere.

It has the figure's HTML as its own page has it, with addresses as they are from there, and shares script,
styles and table with the site. Its name is made of the page's and the figure's. Copies of a figure share its
page. What a page of the site adds is kept beside the doctrees, so that pages that are not written again keep
their figures.
"""

import html
import json
import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

from docutils import nodes
from sphinx.util.nodes import clean_astext
from sphinx.util.osutil import relative_uri

from explorable.sphinx_ext.figures import CaptionNode, CopyNode, FigureNode
from explorable.sphinx_ext.register import figures, number_of
from explorable.sphinx_ext.scopes import section_of
from explorable.text import formula_to_text

FOLDER, TEMPLATE = "figures", "figure.html"
LONGEST_TITLE, LONGEST_DESCRIPTION = 50, 160
ADDRESS = re.compile(r'\b(href|src|data-frames|data-alone)="([^"]*)"')
ELSEWHERE = re.compile(r"[a-z]+:")  # an address of another site
# the line that says whose state the figure shows, for no text is here, and the sign of the place
NOT_ALONE = re.compile(r'<p class="explorable-follows" role="status"></p>|<a class="headerlink".*?</a>')


def own_page(docname, figure):
    """The name of a figure's own page."""
    return f"{FOLDER}/{docname.rpartition('/')[2]}/{figure.partition('-')[2]}"


def name_own_pages(app, doctree, docname):
    """Tells each figure where its own page is; a copy where that of its original is."""
    homes = {figure: page for page, found in figures(app.env).items() for figure in found}
    for node in doctree.findall(FigureNode):
        (name,) = node["ids"]
        if isinstance(node, CopyNode):  # its name and a number
            name = f"ex-{json.loads(node['spec'])['name'].rpartition('-')[0]}"
        if name in homes:
            node["alone"] = app.builder.get_target_uri(own_page(homes[name], name))


def keep_figures(app, docname, templatename, context, doctree):
    """Keeps what the figures' own pages need of a page that is written."""
    if docname.startswith(f"{FOLDER}/"):
        for script in ("explorable.js", "lecture.js"):
            app.add_js_file(script, type="module")
    if doctree is None:
        return
    shutil.rmtree(folder(app) / docname, ignore_errors=True)
    for node in doctree.findall(FigureNode):
        if not isinstance(node, CopyNode):
            kept = folder(app) / docname / f"{node['ids'][0]}.json"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(content(app, docname, node, context["body"])), "utf8")


def folder(app):
    return Path(app.doctreedir, "figure-pages")


def content(app, docname, node, body):
    """What the template shows of a figure."""
    (name,), home = node["ids"], app.builder.get_target_uri(docname)
    own = app.builder.get_target_uri(own_page(docname, name))
    number, words = number_of(app.env, docname, node), words_of(node.next_node(CaptionNode))
    return {
        "title": f"Figure {number}: {cut(words, LONGEST_TITLE)}",
        "description": cut(words, LONGEST_DESCRIPTION),
        "figure": seen_from(own, home, name, body),
        "place": place_of(node, docname),
        "home": f"{relative_uri(own, home)}#{name}",
    }


def words_of(caption):
    """The caption as text; formulas, with the punctuation that they hold, in characters."""
    words = ""
    for part in caption.findall(lambda node: isinstance(node, (nodes.Text, nodes.math))):
        if isinstance(part, nodes.math):
            formula = formula_to_text(part.astext())
            words += f"{part.get('before', '')}{formula}{part.get('after', '')}"
        elif not isinstance(part.parent, nodes.math):
            words += part.astext()
    return " ".join(words.split())


def cut(words, longest):
    """The beginning of a text, to a word's end."""
    return words if len(words) <= longest else words[:longest].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def place_of(node, docname):
    """The place of a figure in words: chapter 3, “Attention is a kernel method”."""
    title = f"“{clean_astext(section_of(node).next_node(nodes.title))}”"
    chapter = re.match(r"chapters/0*(\d+)", docname)
    return f"chapter {chapter[1]}, {title}" if chapter else title


def markup_of(name, body):
    """A figure and its questions, as a page has them."""
    start = body.rindex("<figure", 0, body.index(f' id="{name}"'))
    end = body.index("</figure>", start) + len("</figure>")
    questions = re.compile(r'\s*<ul class="explorable-prompts.*?</ul>', re.S).match(body, end)
    return NOT_ALONE.sub("", body[start : questions.end() if questions else end])


def seen_from(own, home, figure, body):
    """The HTML of a figure in `body`, that of the page `home`, as it is at `own`; links leave a frame."""
    markup = markup_of(figure, body)

    def moved(found):
        name, address = found[1], html.unescape(found[2])
        if name == "data-alone":
            return 'data-alone=""'
        if address.startswith("#") and f'id="{address[1:]}"' in markup:  # its own marks, and their shapes
            return found[0]
        if not ELSEWHERE.match(address):  # as it is from there, with its place on the page
            page, mark, place = urljoin(home, address).partition("#")
            address = relative_uri(own, page) + mark + place
        leaves = ' target="_top"' if name == "href" else ""
        return f'{name}="{html.escape(address)}"{leaves}'

    return ADDRESS.sub(moved, markup)


def own_pages(app):
    """The figures' pages, of every page of the site."""
    for docname, found in sorted(figures(app.env).items()):
        for name in found:
            kept = folder(app) / docname / f"{name}.json"
            if kept.exists():  # copies have none
                yield own_page(docname, name), json.loads(kept.read_text("utf8")), TEMPLATE


def drop_others(app, failure):
    """Removes the pages of figures that are gone."""
    if failure or app.builder.format != "html":
        return
    wanted = {Path(app.builder.get_outfilename(page)) for page, _, _ in own_pages(app)}
    for file in Path(app.outdir, FOLDER).rglob("*.html"):
        if file not in wanted:
            file.unlink()


def setup(app):
    app.connect("doctree-resolved", name_own_pages)
    app.connect("html-page-context", keep_figures, priority=900)  # when the body is as it will be
    app.connect("html-collect-pages", own_pages)
    app.connect("build-finished", drop_others)
