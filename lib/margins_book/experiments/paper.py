"""All experiments of the paper in one run: recorded in plain files, reported on one page of the book.

(book: The paper in a minute)
"""

from pathlib import Path
from typing import Any

from margins_book.experiments import recorded
from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.page import page_text
from margins_book.experiments.report import label, largest_gap
from margins_book.experiments.results import Results
from margins_book.experiments.sweep import Sweep, run_all
from margins_book.experiments.types import Row

# those with the longest cells first, so that all cores are busy to the end
ORDER = ("path-limits", "rates", "local-convergence", "global-convergence", "several-tokens")


def run_paper(
    folder: Path | str,
    page: Path | str,
    *,
    cluster: str | None = None,
    workers: int = -1,
    show: bool = True,
) -> dict[str, Results]:
    """The `Results` of all experiments by name, kept in `folder`; recorded, and reported on `page`.

    An interrupted run goes on where it stopped (book: The paper in a minute).
    """
    if not Path(page).parent.is_dir():
        raise ValueError(f"page must lie in a folder that exists, but got {page}: call from the book's root")
    names = [*ORDER, *(name for name in EXPERIMENTS if name not in ORDER)]
    sweeps = {name: EXPERIMENTS[name].sweep() for name in names}
    jobs = [(sweep, Path(folder) / f"{name}.csv") for name, sweep in sweeps.items()]
    found = run_all("paper", jobs, cluster=cluster, workers=workers, show=show)
    results = {name: found[names.index(name)] for name in EXPERIMENTS}
    for name, result in results.items():
        record(sweeps[name], result, **getattr(EXPERIMENTS[name], "RECORDED", {}))
    Path(page).write_text(page_text(results, sweeps), encoding="utf8")
    return results


def record(sweep: Sweep, results: Results, **options: Any) -> None:
    """Writes the compact rows of a whole run beside `recorded`, in the order of its cells.

    `options` are those of `compact` (book: The paper in a minute).
    """
    cells: dict[str, list[Row]] = {label(cell): [] for cell in sweep.cells}
    for row in results.rows:
        measured = {name: value for name, value in row.items() if name not in ("cell", "rows", "seconds")}
        cells[row["cell"]].append(measured)
    rows = [row for cell in sweep.cells for row in recorded.compact(cell, cells[label(cell)], **options)]
    text = recorded.text_of(results.settings, largest_gap(results.table()), rows)
    (recorded.FOLDER / f"{sweep.name}.csv").write_text(text, encoding="utf8")
