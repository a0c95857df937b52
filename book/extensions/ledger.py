"""The tests that the ledger names: pages of their source, links to each, and what each compared last.

The comparisons come from the file that the tests leave behind (tests/measured.py); without it there are none.
"""

import ast
import json
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
PAGE = "book/claims"
SCRIPT = "ledger.js"


def pieces(source):
    """The text of a test file, cut at its tests: pairs of a name, at the beginning an empty one, and text."""
    lines, tests = source.splitlines(keepends=True), ast.parse(source).body
    tests = [node for node in tests if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    starts = [min([node.lineno, *(mark.lineno for mark in node.decorator_list)]) - 1 for node in tests]
    names = ["", *(node.name for node in tests)]
    cuts = zip(names, [0, *starts], [*starts, len(lines)], strict=True)
    return [(name, "".join(lines[start:end])) for name, start, end in cuts]


def read_tests(app):
    """By file, its pieces; by test, its page and its last comparison, as `2.22e-16 < 1e-09`."""
    files = sorted(Path(app.srcdir, "tests", "claims").glob("test_chapter_*.py"))
    app.claim_files = {file.stem: pieces(file.read_text("utf8")) for file in files}
    app.claim_tests = {
        name: f"tests/{stem}" for stem, cut in app.claim_files.items() for name, _ in cut if name
    }
    record = Path(app.srcdir, "_build", "measured.json")
    app.compared = json.loads(record.read_text("utf8")) if record.exists() else {}


def source_pages(app):
    """A page for each file of tests, with a place for each test."""
    back = '<a href="../book/claims.html">the ledger</a>'
    for stem in app.claim_files:
        number, name = stem.removeprefix("test_chapter_").partition("_")[0], f"tests/claims/{stem}.py"
        head = f"<h1>Tests of the claims of chapter {number}</h1>\n"
        body = f"{head}<p>From <code>{name}</code>, for {back}.</p>\n{app.env.claim_sources[stem][1]}"
        yield f"tests/{stem}", {"title": name, "body": body}, "page.html"


def coloured(builder, cut):
    """All pieces of a test file in the book's colours."""
    return "".join(shown(builder, test, text) for test, text in cut)


def shown(builder, name, text):
    """A piece of a test file in the book's colours, with its name as its place."""
    place = f' id="{escape(name)}"' if name else ""
    return f"<div{place}>{builder.highlighter.highlight_block(text.rstrip(), 'python')}</div>\n"


def claim_test(name, rawtext, text, lineno, inliner, options=None, content=None):
    """`{claim-test}`: a link to a test's source, and what that test compared last."""
    env = inliner.document.settings.env
    if text not in env.app.claim_tests:
        LOGGER.warning("there is no test %r in tests/claims", text, location=(env.docname, lineno))
        return [nodes.literal("", text)], []
    page = env.app.builder.get_relative_uri(env.docname, env.app.claim_tests[text])
    link = nodes.reference("", "", nodes.literal("", text), refuri=f"{page}#{text}", internal=True)
    compared = env.app.compared.get(text)
    return [link, *([nodes.inline("", f" ({compared})", classes=["measured"])] if compared else [])], []


def outdated(app, env, added, changed, removed):
    """The ledger's page, when the tests or what they measured are no longer those that it shows."""
    shown_now = app.claim_tests, app.compared
    before, env.claims_shown = getattr(env, "claims_shown", None), shown_now
    return [PAGE] if PAGE in env.found_docs and before != shown_now else []


def colour_sources(app, env, added, changed, removed):
    """The test files in the book's colours, those that did not change as they were."""
    known = getattr(env, "claim_sources", {})
    env.claim_sources = {
        stem: known[stem] if known.get(stem, [None])[0] == cut else (cut, coloured(app.builder, cut))
        for stem, cut in app.claim_files.items()
    }
    return []


def link_script(app, pagename, templatename, context, doctree):
    """The filter, on the page that it is for."""
    if pagename == PAGE:
        app.add_js_file(SCRIPT, type="module")


def setup(app):
    app.add_role("claim-test", claim_test)
    app.connect("builder-inited", read_tests)
    app.connect("env-get-outdated", outdated)
    app.connect("env-get-outdated", colour_sources)
    app.connect("html-collect-pages", source_pages)
    app.connect("html-page-context", link_script)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
