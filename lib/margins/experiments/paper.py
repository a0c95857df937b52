"""All experiments of the paper in one run: recorded in plain files, reported on one page of the book.

(book: The paper in a minute)
"""

from pathlib import Path

from margins.experiments import recorded
from margins.experiments.catalogue import EXPERIMENTS
from margins.experiments.page import page_text
from margins.experiments.report import label, largest_gap
from margins.experiments.sweep import run_all

# those with the longest cells first, so that all cores are busy to the end
ORDER = ("path-limits", "rates", "local-convergence", "global-convergence", "several-tokens")


def run_paper(folder, page, *, cluster=None, workers=-1, show=True):
    """The `Results` of all experiments by name, kept in `folder`; recorded, and reported on `page`.

    An interrupted run goes on where it stopped (book: The paper in a minute).
    """
    if not Path(page).parent.is_dir():
        raise ValueError(f"page must lie in a folder that exists, but {page} came: call from the book's root")
    names = [*ORDER, *(name for name in EXPERIMENTS if name not in ORDER)]
    sweeps = {name: EXPERIMENTS[name].sweep() for name in names}
    jobs = [(sweep, Path(folder) / f"{name}.csv") for name, sweep in sweeps.items()]
    found = run_all("paper", jobs, cluster=cluster, workers=workers, show=show)
    results = {name: found[names.index(name)] for name in EXPERIMENTS}
    for name, result in results.items():
        record(sweeps[name], result, **getattr(EXPERIMENTS[name], "RECORDED", {}))
    Path(page).write_text(page_text(results, sweeps), encoding="utf8")
    return results


def record(sweep, results, **options):
    """Writes the compact rows of a whole run beside `recorded`, in the order of its cells.

    `options` are those of `compact` (book: The paper in a minute).
    """
    cells = {label(cell): [] for cell in sweep.cells}
    for row in results.rows:
        measured = {name: value for name, value in row.items() if name not in ("cell", "rows", "seconds")}
        cells[row["cell"]].append(measured)
    rows = [row for cell in sweep.cells for row in recorded.compact(cell, cells[label(cell)], **options)]
    text = recorded.text_of(results.settings, largest_gap(results.table()), rows)
    (recorded.FOLDER / f"{sweep.name}.csv").write_text(text, encoding="utf8")
