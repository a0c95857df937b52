"""What the search field searches: the words of every page under its places, indexed by Pagefind.

Places are sections, statements, exercises and figures. Code, answers and long formulas would only litter
what is found: they are left out.
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
GREEK = re.compile(r"\\(var)?([a-zA-Z]+)")
SHORT = re.compile(r"[\w ,.()<>=+-]{1,9}")


def is_place(node):
    return isinstance(node, (Explorable, exercise_node, exercise_enumerable_node)) or is_proof(node)


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
    if isinstance(place, Explorable):
        return f"Figure {number_of_figure(env, docname, place)}: {words(place.next_node(Caption))}"
    if is_proof(place):
        called = "".join(words(part) for part in unwrapped(place.next_node(nodes.title)))
        return f"{place['realtype'].title()} {number_of(env, docname, place['label'])}: {called}"
    number = ".".join(map(str, env.toc_fignumbers[docname]["exercise"][place["ids"][0]]))
    return f"Exercise {number}: {words(place.next_node(nodes.title)).strip(' ()')}"


def lines(section, level, name):
    """A section in plain HTML: its own words, the places in it, the sections in it, each under a heading."""
    yield heading(level, section, words(section.next_node(nodes.title)))
    yield paragraph("".join(words(child) for child in section.children[1:] if not is_hidden(child)))
    for place in section.findall(is_place):
        if nearest_section(place) is section:
            yield heading(level + 1, place, name(place))
            yield paragraph("".join(words(child) for child in place.children))
    for child in section.children:
        if isinstance(child, nodes.section):
            yield from lines(child, min(level + 1, 5), name)


def is_hidden(node):
    return isinstance(node, (*SILENT, nodes.section)) or is_place(node)


def nearest_section(node):
    while not isinstance(node, nodes.section):
        node = node.parent
    return node


def heading(level, node, text):
    return f'<h{level} id="{html.escape(node["ids"][0])}">{html.escape(" ".join(text.split()))}</h{level}>'


def paragraph(text):
    return f"<p>{html.escape(' '.join(text.split()))}</p>"


def folder(app):
    return Path(app.doctreedir, "search")


def tell(app, doctree, docname):
    """The words of a page that is written, kept for the index."""
    section = doctree.next_node(nodes.section)
    if app.builder.format != "html" or section is None:
        return
    body = "\n".join(lines(section, 1, lambda place: name_of(place, app.env, docname)))
    target = folder(app) / f"{docname}.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    weight = 1 if docname.startswith("chapters/") else AROUND
    target.write_text(f'<html lang="en"><body data-pagefind-weight="{weight}">{body}</body></html>', "utf8")


def index(app, failure):
    """Pagefind's index of all pages that there are, and of its scripts the ones that are used."""
    if failure or app.builder.format != "html":
        return
    for page in folder(app).rglob("*.html"):
        if page.relative_to(folder(app)).with_suffix("").as_posix() not in app.env.found_docs:
            page.unlink()
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
