"""The search index: every place of the book as a document of its own, for Pagefind.

Among whole chapters the one that says a word most would come first, not the place that is about it.
"""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from explorable.sphinx_ext.figures import FigureNode
from extensions.pages.excursions import excursion_of
from extensions.pages.fonts_and_styles import PACKAGES, required
from extensions.pages.stories import is_story
from extensions.search import vocabulary
from extensions.search.formulas import Formulas
from extensions.search.places import anchor, is_entry, name_of, places, text_of

BUNDLE = (
    "pagefind.js",
    "pagefind-worker.js",
    "pagefind-entry.json",
    "*.pf_meta",
    "wasm.*",
    "index",
    "fragment",
)
OWN = ("chapters/", "book/how_to_read", "book/teaching")  # pages that say what no other page says
END = ("summary", "in-the-library", "further-reading", "what-the-next-chapter-asks")  # sections that repeat
REPEATED = 0.2  # the weight of words in these sections and on other pages: ledger, timings, status
STORY = 0.6  # the weight of words in a story, which stands behind its chapter
EXCURSION = 0.6  # the weight of words in an excursion, which stands behind the spine
TERM = 0.9  # the weight of the glossary's words: a definition in a chapter stands before its sentence there
LIBRARY = "book/library/"
TAGS = re.compile(r"<[^>]+>")
TITLE = re.compile(r"<title>(.*?)</title>")
NUMBERED = re.compile(r"^\w+ [\w.]+: ")  # "Theorem 3.1: " before a name
LONG = 4  # words of a name; each word of a longer one counts as little as one of four


def kind(place, docname):
    """The rank of a place's name: terms before places of chapters, those before names of the library.

    Neither captions, which are sentences, nor the library's modules, which begin with the book's name.
    """
    if is_entry(place) or place.get("realtype") == "definition":
        return "term"
    if docname.startswith(LIBRARY):
        return "api" if "." in anchor(place) else None
    return "name" if docname.startswith(OWN) and not isinstance(place, FigureNode) else None


def rank(place, title, docname):
    """The kind of a place's name and how many words it has: where these are few, each says more."""
    named = kind(place, docname)
    return named and f"{named}-{min(max(len(vocabulary.telling(NUMBERED.sub('', title))), 1), LONG)}"


def weight(place, docname):
    """How much the words of a place count, against 1 for those of a chapter."""
    if is_entry(place):
        return TERM
    if excursion_of(place) is not None:
        return EXCURSION
    if is_story(docname):
        return STORY
    return 1 if docname.startswith(OWN) and anchor(place) not in END else REPEATED


def document(place, page, title, text, docname):
    """A place in plain HTML as Pagefind reads it."""
    named = rank(place, title, docname)
    attribute = f' data-pagefind-meta="{named}"' if named else ""
    return (
        f'<html lang="en"><head><title>{escaped(page)}</title></head>'
        f'<body data-pagefind-weight="{weight(place, docname)}">'
        f"<h1{attribute}>{escaped(title)}</h1><p>{escaped(text)}</p></body></html>"
    )


def escaped(text):
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
        formulas = Formulas(app.config.mathml_macros)
        title, text = name_of(place, app.env, docname, formulas), text_of(place, formulas)
        file = target / f"{anchor(place)}.html"
        file.write_text(document(place, page, title, text, docname), "utf8")
        if formulas.mathml:
            file.with_suffix(".json").write_text(json.dumps(formulas.mathml, ensure_ascii=False), "utf8")


def index(app, failure):
    """Runs Pagefind on all pages and publishes the index and the scripts that are used."""
    if failure or app.builder.format != "html":
        return
    for file in folder(app).rglob("*.*"):
        if file.is_file() and file.parent.relative_to(folder(app)).as_posix() not in app.env.found_docs:
            file.unlink()
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
    publish_beside(folder(app), target)


def publish_beside(source, target):
    """What Pagefind does not keep: formulas of places, the words of all of them, the names of their pages.

    As a filter of Pagefind the names would change the bytes of the index at every run.
    """
    shutil.copytree(source, target / "formulas", ignore=shutil.ignore_patterns("*.html"))
    documents = {file: file.read_text("utf8") for file in sorted(source.rglob("*.html"))}
    vocabulary.publish(
        (html.unescape(TAGS.sub(" ", told)) for told in documents.values()), target / "words.json"
    )
    pages = {
        file.parent.relative_to(source).as_posix(): html.unescape(TITLE.search(told)[1])
        for file, told in documents.items()
    }
    (target / "pages.json").write_text(json.dumps(pages, ensure_ascii=False), "utf8")


def program():
    """Pagefind for this machine, which npm has chosen among those for all."""
    found = PACKAGES.glob("@pagefind/*/bin/pagefind_extended*")
    return next((file for file in found if file.suffix in ("", ".exe")), None) or required(
        PACKAGES / "pagefind"
    )


def no_index_of_sphinx(app):
    """Keeps Sphinx from writing its own index, of a megabyte; the page that shows results stays."""
    app.builder.search = False


def search_page(app):
    yield "search", {}, "search.html"


def setup(app):
    app.connect("builder-inited", no_index_of_sphinx)
    app.connect("html-collect-pages", search_page)
    app.connect("doctree-resolved", tell)
    app.connect("build-finished", index)
