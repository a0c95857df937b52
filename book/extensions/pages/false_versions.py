"""Below each check of a chapter, folded: which false versions of its statement it refuses, and what it says.

A check is found by its cell's code. What is recorded of a check that has changed since is not shown.
"""

from html import escape

from docutils import nodes

from margins_book.chapters import chapters
from margins_book.false_versions import are_false, read_rows, reasons_of, record_of, stale
from margins_course.assignments.check_cells import digests, named_cells

SHOWN = 4  # versions of a check that it refuses
OUTCOMES = {"stopped": "no end within its time"}
ARROW = " → "


def show_refusals(app, doctree):
    """Adds a fold to each cell of a chapter whose false versions are recorded and current."""
    chapter = next((c for c in chapters() if f"chapters/{c.page.stem}" == app.env.docname), None)
    if chapter is None:
        return
    app.env.note_dependency(str(record_of(chapter)))
    app.env.note_dependency(str(chapter.folder / "false_versions_kept.txt"))
    rows, why = read_rows(chapter), reasons_of(chapter)
    old = stale(rows, digests(chapter)) if rows else set()
    names = {cell.source.strip(): name for cell, name in named_cells(chapter) if name and name not in old}
    for cell in list(doctree.findall(is_cell)):
        check = names.get(source_of(cell))
        if shown := [row for row in are_false(rows, why) if row.check == check]:
            cell += nodes.raw("", fold(shown, why), format="html")


def is_cell(node):
    return getattr(node, "attributes", {}).get("nb_element") == "cell_code"


def source_of(cell):
    """The code of a cell, "" if the page leaves it out."""
    code = next(cell.findall(nodes.literal_block), None)
    return "" if code is None else code.astext().strip()


def fold(rows, why):
    """The fold of one check as HTML: the count, a list of some versions that it refuses, and all others.

    All of them would make a page a third longer; those left out are counted.
    """
    refused = [row for row in rows if not row.survived]
    shown = refused[:: -(-len(refused) // SHOWN)] if refused else []
    lines = "".join(f"<li>{line(row, why)}" for row in [*shown, *(row for row in rows if row.survived)])
    more = f"<li>and {len(refused) - len(shown)} more" if len(refused) > len(shown) else ""
    head = f"<summary>{len(refused)} of {len(rows)} false versions refused</summary>"
    return f'<details class="fold false-versions" data-pagefind-ignore>{head}<ul>{lines}{more}</ul></details>'


def line(row, why):
    """A false version in the list: the code before and after, and what the check said."""
    before, _, after = row.change.partition(" -> ")
    said = f"<code>{escape(row.said)}</code>" if row.said else OUTCOMES.get(row.outcome, "")
    verdict = f"not refused. {escape(why.get(row.name, ''))}" if row.survived else said
    return f"<code>{escape(before)}</code>{ARROW}<code>{escape(after)}</code>: {verdict}"


def setup(app):
    app.connect("doctree-read", show_refusals)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
