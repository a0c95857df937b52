"""All experiments of the paper in one run: recorded in plain files, reported on one page of the book.

The page is made from the template `paper.md` beside this file; lines there that begin with `%%` ask for a
table. (book: The paper in a minute)
"""

import datetime
import platform
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from margins_book.experiments import recorded
from margins_book.experiments.catalogue import EXPERIMENTS, Run, run
from margins_book.experiments.estimates import Cell, Estimate, Estimates
from margins_book.experiments.published import Published, published
from margins_book.experiments.report import label, largest_gap, table_of

TEMPLATE = Path(__file__).with_name("paper.md")


def run_paper(folder: Path | str, page: Path | str, *, workers: int = -1, verbose: int = 5) -> dict[str, Run]:
    """The runs of all experiments by name; recorded, and reported on `page`.

    A run that was stopped goes on from what waits in `folder`.
    """
    if not Path(page).parent.is_dir():
        raise ValueError(f"page must lie in a folder that exists, but got {page}: call from the book's root")
    runs = run(EXPERIMENTS, folder, workers=workers, verbose=verbose)
    for name, one in runs.items():
        (recorded.FOLDER / f"{name}.csv").write_text(one.text(), encoding="utf8")
    Path(page).write_text(page_text(runs), encoding="utf8")
    return runs


def page_text(runs: dict[str, Run]) -> str:
    """The text of the page that reports the `runs`."""
    estimates = {name: EXPERIMENTS[name].estimates(one.table()) for name, one in runs.items()}

    def written(match: re.Match[str]) -> str:
        match match[1].split():
            case ["overview"]:
                return overview(runs)
            case ["published"]:
                return published_beside_ours(estimates)
            case ["table", name]:
                table = markdown_table(*table_of(name, estimates[name]))
                return f":::{{admonition}} All numbers\n:class: dropdown\n\n{table}\n:::"
        raise ValueError(f"{TEMPLATE} must ask for overview, published or table NAME, but got {match[0]!r}")

    return re.sub(r"^%% (.+)$", written, TEMPLATE.read_text(encoding="utf8"), flags=re.MULTILINE)


def overview(runs: dict[str, Run]) -> str:
    """What ran where, with which certificates, and how long."""
    rows = []
    for name, one in runs.items():
        problems, gap = len(one.blocks) * EXPERIMENTS[name].SETTINGS["block"], largest_gap(one.table())
        certificate = "no SVM is solved" if np.isnan(gap) else f"{gap:.1e}"
        rows.append([f"[{name}](#experiment-{name})", f"{problems:,}", certificate, f"{one.seconds:.1f}"])
    rows.append(["all", "", "", f"{sum(one.seconds for one in runs.values()):.1f}"])
    where = f"{processor()}, Python {platform.python_version()}, NumPy {np.__version__}"
    header = ["experiment", "problems", "largest relative duality gap", "processor seconds"]
    return f"Run on {datetime.date.today()} on {where}.\n\n{markdown_table(header, rows)}"


def published_beside_ours(estimates: dict[str, Estimates]) -> str:
    """Every published value beside ours, a table for each experiment that has any, and how many agree."""
    header = ["setting", "quantity", "published", "ours", "agree"]
    tables: list[str] = []
    verdicts: list[str] = []
    for name, found in estimates.items():
        known = published(name)
        rows = [row for setting, values in found for row in _pairs(setting, values, known)]
        verdicts += [row[-1] for row in rows]
        if rows:
            source = next(iter(known.values())).source
            tables.append(f"[{name}](#experiment-{name}), {source}:\n\n{markdown_table(header, rows)}")
    count = f"{verdicts.count('yes')} of {len(verdicts)} published values agree with ours."
    return "\n\n".join([count, *tables])


def _pairs(
    setting: Cell, values: dict[str, Estimate], known: dict[tuple[str, str], Published]
) -> Iterator[list[str]]:
    """The rows of one setting: what was published, ours, and whether they agree."""
    for quantity, ours in values.items():
        if theirs := known.get((label(setting), quantity)):
            verdict = "yes" if agree(theirs.value, ours) else "no"
            yield [label(setting), quantity, f"{theirs.value:g}", str(ours), verdict]


def agree(theirs: float, ours: Estimate) -> bool:
    """Whether a value is as near to our estimate as a second sample of the same size in 19 of 20 cases."""
    return abs(theirs - ours.value) <= np.sqrt(2) * (ours.high - ours.low) / 2


def markdown_table(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table of texts, in which no character is taken for mark-up."""
    lines = [header, ["---"] * len(header), *rows]
    cells = ([re.sub(r"([*<$_|])", r"\\\1", text) for text in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def processor() -> str:
    """The processor's name as the operating system knows it."""
    information = Path("/proc/cpuinfo")
    text = information.read_text(encoding="utf-8") if information.exists() else ""
    names = re.findall(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return " ".join(names[0].split()) if names else platform.processor() or platform.machine()
