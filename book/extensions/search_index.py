"""What the search field searches: the words of every place of the book, indexed by Pagefind.

Places are sections, statements, exercises, figures and the glossary's terms. Each is a document of its own:
among whole chapters the one that says a word most would come first, not the place that is about it. Code,
answers and long formulas would only litter what is found: they are left out.
"""

import html
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

from docutils import nodes
from explorables import Answer, Caption, Explorable
from figure_register import number_of as number_of_figure
from frontend import PACKAGES, required
from quiz import Question
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx_exercise.nodes import (
    exercise_enumerable_node,
    exercise_node,
    exercise_title,
    solution_node,
)
from statements import is_proof, number_of, unwrapped

SILENT = (nodes.literal_block, nodes.raw, nodes.comment, Answer, Question, solution_node, exercise_title)
BUNDLE = (
    "pagefind.js",
    "pagefind-worker.js",
    "pagefind-entry.json",
    "*.pf_meta",
    "wasm.*",
    "index",
    "fragment",
)
AROUND = 0.2  # the weight of words on pages around the chapters: ledger, timings, status
LIBRARY = "book/library/"
GREEK = re.compile(r"\\(var)?([a-zA-Z]+)")
SHORT = re.compile(r"[\w ,.()<>=+-]{1,9}")


def is_place(node):
    kinds = Explorable, exercise_node, exercise_enumerable_node
    return isinstance(node, kinds) or is_proof(node) or is_entry(node)


def is_entry(node):
    """Whether a node is a term of the glossary with its definition."""
    return isinstance(node, nodes.definition_list_item) and isinstance(node.parent.parent, addnodes.glossary)


def formula(tex):
    """A formula as it can stand among words if it is short, and dots for others."""
    plain = GREEK.sub(lambda name: letter(name[2]) or name[0], tex.strip())
    return plain if SHORT.fullmatch(plain) else "…"


def letter(name):
    """The Greek letter of that name, or None."""
    try:
        return unicodedata.lookup(f"greek {'capital' if name[0].isupper() else 'small'} letter {name}")
    except KeyError:
        return None


def words(node):
    """The text of a node without what is silent, and without the places and sections inside it."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math | nodes.math_block):
        return formula(node.astext())
    if "whereabouts" in node["classes"]:
        return ""
    inside = (child for child in node.children if not isinstance(child, (*SILENT, nodes.section)))
    text = "".join(words(child) for child in inside if not is_place(child))
    is_apart = not isinstance(node, nodes.Inline) or "column" in node["classes"]  # before a cell
    return f"{text} " if is_apart else text


def name_of(place, env, docname):
    """What a place is called in a list of results."""
    if isinstance(place, nodes.section):
        return words(place.next_node(nodes.title))
    if is_entry(place):
        return words(place.next_node(nodes.term))
    if isinstance(place, Explorable):
        return f"Figure {number_of_figure(env, docname, place)}: {words(place.next_node(Caption))}"
    if is_proof(place):
        called = "".join(words(part) for part in unwrapped(place.next_node(nodes.title)))
        return f"{place['realtype'].title()} {number_of(env, docname, place['label'])}: {called}"
    number = ".".join(map(str, env.toc_fignumbers[docname]["exercise"][place["ids"][0]]))
    return f"Exercise {number}: {words(place.next_node(nodes.title)).strip(' ()')}"


def anchor(place):
    """The name at which a link to a place ends."""
    return (place.next_node(nodes.term) if is_entry(place) else place)["ids"][0]


def text_of(place):
    """The words of a place without its name: of a section its own, of a term its definition."""
    if isinstance(place, nodes.section):
        return "".join(words(part) for part in place.children[1:] if not is_hidden(part))
    named = (nodes.title, nodes.term, *SILENT)
    return "".join(words(part) for part in place.children if not isinstance(part, named))


def is_hidden(node):
    return isinstance(node, (*SILENT, nodes.section)) or is_place(node)


def places(section):
    """A section, the places in it, and so the sections in it."""
    yield section
    yield from (place for place in section.findall(is_place) if nearest_section(place) is section)
    for child in section.children:
        if isinstance(child, nodes.section):
            yield from places(child)


def nearest_section(node):
    while not isinstance(node, nodes.section):
        node = node.parent
    return node


def kind(place, docname):
    """As what its name is found: a term before a place in a chapter, and that before a name of the library.

    Neither captions, which are sentences, nor the library's modules, which begin with the book's name.
    """
    if is_entry(place) or place.get("realtype") == "definition":
        return "term"
    if docname.startswith(LIBRARY):
        return "api" if "." in anchor(place) else None
    return "name" if docname.startswith("chapters/") and not isinstance(place, Explorable) else None


def document(place, page, title, docname):
    """A place in plain HTML as Pagefind reads it."""
    named = f' data-pagefind-meta="{kind(place, docname)}"' if kind(place, docname) else ""
    weight = 1 if docname.startswith("chapters/") or is_entry(place) else AROUND
    return (
        f'<html lang="en"><head><meta data-pagefind-filter="page[content]" content="{plain(page)}"></head>'
        f'<body data-pagefind-weight="{weight}"><h1{named}>{plain(title)}</h1>'
        f"<p>{plain(text_of(place))}</p></body></html>"
    )


def plain(text):
    return html.escape(" ".join(text.split()))


def folder(app):
    return Path(app.doctreedir, "search")


def tell(app, doctree, docname):
    """The words of a page that is written, a file for each of its places, kept for the index."""
    section = doctree.next_node(nodes.section)
    if app.builder.format != "html" or section is None:
        return
    target = folder(app) / docname
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    page = name_of(section, app.env, docname)
    for place in places(section):
        title = name_of(place, app.env, docname)
        (target / f"{anchor(place)}.html").write_text(document(place, page, title, docname), "utf8")


def index(app, failure):
    """Pagefind's index of all pages that there are, and of its scripts the ones that are used."""
    if failure or app.builder.format != "html":
        return
    for place in folder(app).rglob("*.html"):
        if place.parent.relative_to(folder(app)).as_posix() not in app.env.found_docs:
            place.unlink()
    target, made = Path(app.outdir, "_static", "search"), Path(app.doctreedir, "search-index")
    options = ["--site", folder(app), "--output-path", made, "--keep-index-url", "--quiet"]
    shutil.rmtree(made, ignore_errors=True)
    run = subprocess.run([program(), *options], capture_output=True, text=True, check=False)
    if run.returncode:
        raise ExtensionError(f"Pagefind made no index: {run.stderr or run.stdout}")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for used in (file for pattern in BUNDLE for file in made.glob(pattern)):
        shutil.move(used, target / used.name)


def program():
    """Pagefind for this machine, which npm has chosen among those for all."""
    found = PACKAGES.glob("@pagefind/*/bin/pagefind_extended*")
    return next((file for file in found if file.suffix in ("", ".exe")), None) or required(
        PACKAGES / "pagefind"
    )


def no_index_of_sphinx(app):
    """Sphinx would write one of a megabyte beside ours; the page that shows results stays."""
    app.builder.search = False


def search_page(app):
    yield "search", {}, "search.html"


def setup(app):
    app.connect("builder-inited", no_index_of_sphinx)
    app.connect("html-collect-pages", search_page)
    app.connect("doctree-resolved", tell)
    app.connect("build-finished", index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
