"""Below each check of a chapter: which false versions it refuses (folded), and in how many draws it holds.

A check is found by its cell's code. What is recorded of a check that has changed since is not shown.
"""

from html import escape

from docutils import nodes

from margins_book import draws
from margins_book.chapters import chapters
from margins_book.false_versions import are_false, read_rows, reasons_of, record_of, stale
from margins_course.assignments.check_cells import digests, named_cells

SHOWN = 4  # versions of a check that it refuses
OUTCOMES = {"stopped": "no end within its time"}
ARROW = " → "
EXPLAINED = '<li><a href="../book/mutants.html">What a false version is</a>'  # from a chapter


def show_trials(app, doctree):
    """Adds to each cell of a chapter what is recorded of its check, if the record is current."""
    chapter = next((c for c in chapters() if f"chapters/{c.page.stem}" == app.env.docname), None)
    if chapter is None:
        return
    for file in (record_of(chapter), chapter.folder / "false_versions_kept.txt", draws.record_of(chapter)):
        app.env.note_dependency(str(file))
    now, why = digests(chapter), reasons_of(chapter)
    rows, held = current_versions(chapter, now), current_draws(chapter, now)
    names = {cell.source.strip(): name for cell, name in named_cells(chapter) if name}
    for cell in list(doctree.findall(is_cell)):
        check = names.get(source_of(cell))
        shown = [row for row in are_false(rows, why) if row.check == check]
        if shown or check in held:
            cell += nodes.raw("", trials(shown, why, held.get(check, "")), format="html")


def current_versions(chapter, now):
    """The recorded false versions of checks whose code is still the same."""
    rows = read_rows(chapter)
    old = stale(rows, now) if rows else set()
    return [row for row in rows if row.check not in old]


def current_draws(chapter, now):
    """By check, in how many draws it holds, where it has random data and its code is still the same."""
    return {
        row.name: row.words
        for row in draws.read_rows(chapter)
        if row.draws and now.get(row.name) == row.digest
    }


def is_cell(node):
    return getattr(node, "attributes", {}).get("nb_element") == "cell_code"


def source_of(cell):
    """The code of a cell, "" if the page leaves it out."""
    code = next(cell.findall(nodes.literal_block), None)
    return "" if code is None else code.astext().strip()


def trials(rows, why, held):
    """What is recorded of one check as HTML; without false versions, only in how many draws it holds."""
    return fold(rows, why, held) if rows else f'<div class="false-versions">{held.capitalize()}</div>'


def fold(rows, why, held=""):
    """The fold of one check as HTML: the count, a list of some versions that it refuses, and all others.

    All of them would make a page a third longer; those left out are counted.
    """
    refused = [row for row in rows if not row.survived]
    shown = refused[:: -(-len(refused) // SHOWN)] if refused else []
    lines = "".join(f"<li>{line(row, why)}" for row in [*shown, *(row for row in rows if row.survived)])
    more = f"<li>and {len(refused) - len(shown)} more" if len(refused) > len(shown) else ""
    counted = f"{len(refused)} of {len(rows)} false versions refused"
    head = f"<summary>{'; '.join(filter(None, (counted, held)))}</summary>"
    inside = f"<ul>{lines}{more}{EXPLAINED}</ul>"
    return f'<details class="fold false-versions" data-pagefind-ignore>{head}{inside}</details>'


def line(row, why):
    """A false version in the list: the code before and after, and what the check said."""
    before, _, after = row.change.partition(" -> ")
    said = f"<code>{escape(row.said)}</code>" if row.said else OUTCOMES.get(row.outcome, "")
    verdict = f"not refused. {escape(why.get(row.name, ''))}" if row.survived else said
    return f"<code>{escape(before)}</code>{ARROW}<code>{escape(after)}</code>: {verdict}"


def setup(app):
    app.connect("doctree-read", show_trials)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
