"""Dot plots above the tables of timings: each job's ratio on one logarithmic line, with its goal.

Drawn from the table that it stands above, whose columns are called job, peer, ratio and goal.
"""

from collections import Counter

from docutils import nodes
from sphinx.transforms import SphinxTransform

from explorable import Drawing, markup
from explorable.palette import BLUE, INK, MUTED, VERMILION
from explorable.sphinx_ext import register
from explorable.sphinx_ext.figures import CaptionNode, FigureNode
from explorable.text import text_width

ROOM, LETTERS, ROW = 318, 12, 31  # pixels: of a name, its size, from one job to the next
FOOT, HEAD = 5 / ROW, 22 / ROW  # of a name above its job's dots, in rows: no line goes through it
DECADES = {0.001: "1/1000", 0.01: "1/100", 0.1: "1/10", 1: "1", 10: "10"}
TICKS = DECADES | {0.25: "1/4", 0.5: "1/2", 2: "2", 4: "4"}
CAPTION = (
    "The book's time over its peer's, job by job; left of the dashed line the book is the faster. "
    "Upright strokes are goals, and a diamond misses its goal."
)


class DrawRatios(SphinxTransform):
    """A figure before every table with the columns ratio and goal."""

    default_priority = 700  # once the tables stand, before Sphinx looks for what it numbers

    def apply(self):
        for table in list(self.document.findall(nodes.table)):
            columns = [entry.astext() for entry in table.next_node(nodes.thead).findall(nodes.entry)]
            if {"job", "peer", "ratio", "goal"} <= set(columns):
                table.parent.insert(table.parent.index(table), self.figure(table, columns))

    def figure(self, table, columns):
        name = f"fig-{table.parent['ids'][0]}-ratios"
        frame = drawn(jobs(table, columns)).frame(CAPTION)
        body = markup.panels({"name": name, "handles": [], "guesses": []}, frame)
        node = FigureNode("", CaptionNode(CAPTION, CAPTION), moves=False, body=body, ids=[name], names=[name])
        node["frames"] = None
        register.add(self.env, node, table.line)
        self.document.note_explicit_target(node, node)
        return node


def jobs(table, columns):
    """(name, ratio, goal or None) of each row; where two jobs have one name, the peer's stands behind it."""
    body = table.next_node(nodes.tbody)
    rows = [dict(zip(columns, (e.astext() for e in row.findall(nodes.entry)), strict=True)) for row in body]
    count = Counter(row["job"] for row in rows)
    return [
        (
            row["job"] if count[row["job"]] == 1 else f"{row['peer']}: {row['job']}",
            float(row["ratio"]),
            float(row["goal"].split()[0]) if row["goal"] else None,
        )
        for row in rows
    ]


def drawn(found):
    """One panel for few jobs, two beside each other for many, all on one scale."""
    places = [value for _, ratio, goal in found for value in (ratio, goal, 1) if value]
    limits = min(places) / 1.6, max(places) * 1.6
    drawing, half = Drawing(), -(-len(found) // 2) if len(found) > 7 else len(found)
    for number, part in enumerate((found[:half], found[half:]), 1):
        if part:
            draw(drawing, f"ratios, part {number}", part, limits, half)
    return drawing


def draw(drawing, name, part, limits, rows):
    """A panel with the names of its jobs above their dots."""
    offered = TICKS if limits[1] / limits[0] < 30 else DECADES
    ticks = {value: text for value, text in offered.items() if limits[0] <= value <= limits[1]}
    panel = drawing.panel(
        name, xlim=limits, ylim=(rows - 0.4, -0.6), xscale="log", xticks=ticks, yticks=[],
        xlabel="our time over the peer's", height=ROW * rows + 56,
    )  # fmt: skip
    for row, (job, ratio, goal) in enumerate(part):
        key, missed = f"{row + 1} {job}", goal is not None and ratio > goal
        end = row + 1 - HEAD if row + 1 < len(part) else rows - 0.4
        panel.vlines(1, row - FOOT, end, key=f"as fast, row {row + 1}", link="as fast as the peer")
        panel.hlines(row, key=f"row {row + 1}", color=MUTED, linestyle=":", linewidth=1)
        panel.annotate(
            shortened(job), (limits[0], row), key=f"name of {key}", offset=(2, 9), ha="left", size=LETTERS
        )
        if goal is not None:
            panel.vlines(goal, row - 0.2, row + 0.2, key=f"goal of {key}", linestyle="-", linewidth=2.5)
        look = {"color": VERMILION, "marker": "D"} if missed else {"color": BLUE if goal else INK}
        panel.scatter([ratio], [row], keys=[key], tell={"ratio": [ratio]}, size=40, **look)


def shortened(job):
    """A job's name, cut to the width of a panel."""
    if text_width(job, LETTERS) <= ROOM:
        return job
    while text_width(f"{job}…", LETTERS) > ROOM:
        job = job[:-1]
    return f"{job.rstrip(' ,:(')}…"


def setup(app):
    app.add_transform(DrawRatios)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
