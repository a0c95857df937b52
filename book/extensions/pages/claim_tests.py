"""The tests that the ledger names: pages of their source, and links to each."""

import ast
from html import escape

from docutils import nodes
from sphinx.util import logging

from margins_book.chapters import ROOT, chapters

LOGGER = logging.getLogger(__name__)


def pieces(source):
    """The parts of a test file: pairs of a test's name and its text; the head has an empty name."""
    lines, tests = source.splitlines(keepends=True), ast.parse(source).body
    tests = [node for node in tests if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    starts = [min([node.lineno, *(mark.lineno for mark in node.decorator_list)]) - 1 for node in tests]
    names = ["", *(node.name for node in tests)]
    cuts = zip(names, [0, *starts], [*starts, len(lines)], strict=True)
    return [(name, "".join(lines[start:end])) for name, start, end in cuts]


def pages_of_tests():
    """The files with the tests of claims by the names of their pages, as `test_chapter_7_training`."""
    return {
        file.stem.replace("claims", f"chapter_{chapter.number}"): file
        for chapter in chapters()
        for file in chapter.claim_tests
    }


def read_tests(app):
    """By page, the pieces of its file; by test, its page."""
    app.claim_pieces = {page: pieces(file.read_text("utf8")) for page, file in pages_of_tests().items()}
    app.claim_tests = {
        name: f"tests/{page}" for page, cut in app.claim_pieces.items() for name, _ in cut if name
    }


def source_pages(app):
    """A page for each file of tests, with an anchor for each test."""
    back = '<a href="../book/claims.html">the ledger</a>'
    for page, file in pages_of_tests().items():
        number, name = page.removeprefix("test_chapter_").partition("_")[0], file.relative_to(ROOT).as_posix()
        head = f"<h1>Tests of the claims of chapter {number}</h1>\n"
        body = f"{head}<p>From <code>{name}</code>, for {back}.</p>\n{app.env.claim_sources[page][1]}"
        yield f"tests/{page}", {"title": name, "body": body}, "page.html"


def coloured(builder, cut):
    """A test file as highlighted HTML."""
    return "".join(shown(builder, test, text) for test, text in cut)


def shown(builder, name, text):
    """A part of a test file as highlighted HTML, with its name as its anchor."""
    place = f' id="{escape(name)}"' if name else ""
    return f"<div{place}>{builder.highlighter.highlight_block(text.rstrip(), 'python')}</div>\n"


def claim_test(name, rawtext, text, lineno, inliner, options=None, content=None):
    """`{claim-test}`: a link to a test's source."""
    env = inliner.document.settings.env
    if text not in env.app.claim_tests:
        LOGGER.warning("no chapter has a test %r of a claim", text, location=(env.docname, lineno))
        return [nodes.literal("", text)], []
    page = env.app.builder.get_relative_uri(env.docname, env.app.claim_tests[text])
    link = nodes.reference("", "", nodes.literal("", text), refuri=f"{page}#{text}", internal=True)
    return [link], []


def colour_sources(app, env, added, changed, removed):
    """Highlights the test files that have changed since the last build."""
    known = getattr(env, "claim_sources", {})
    env.claim_sources = {
        page: known[page] if known.get(page, [None])[0] == cut else (cut, coloured(app.builder, cut))
        for page, cut in app.claim_pieces.items()
    }
    return []


def setup(app):
    app.add_role("claim-test", claim_test)
    app.connect("builder-inited", read_tests)
    app.connect("env-get-outdated", colour_sources)
    app.connect("html-collect-pages", source_pages)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
