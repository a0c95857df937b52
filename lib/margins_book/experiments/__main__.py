"""`python -m margins_book.experiments NAME`: run an experiment on all cores or a cluster, print its table."""

import argparse
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from margins_book.experiments import Results, Sweep, label, run
from margins_book.experiments.catalogue import EXPERIMENTS, question
from margins_book.experiments.paper import run_paper
from margins_book.experiments.report import lines, report

HOW = """\
Without NAME the experiments are listed. With NAME its cells are measured on all cores of this computer; a bar
shows how far it is. Every finished cell is added to FILE at once: stop with Ctrl-C whenever you like and call
the same line again to go on. FILE is a CSV table, after one line with the settings, for any program to read.

examples:
  python -m margins_book.experiments ranks                      run, or go on with, the study of ranks
  python -m margins_book.experiments ranks --report             print the table of what is there so far
  python -m margins_book.experiments ranks --seeds 400          four times as many random problems
  python -m margins_book.experiments ranks --describe           the question, the settings and the cells
  python -m margins_book.experiments paper                      run and record all of them, write their page
  dask scheduler & dask worker tcp://HOST:8786 ...         start a Dask cluster on any computers, then
  python -m margins_book.experiments ranks --cluster tcp://HOST:8786
"""


def parser() -> argparse.ArgumentParser:
    """The command line with a help text for newcomers."""
    listed = "\n".join(f"  {name:20}{_wrapped(question(name))}" for name in EXPERIMENTS)
    made = argparse.ArgumentParser(
        prog="python -m margins_book.experiments",
        description="Experiments on trained attention and its support vector machines.\n\n" + HOW,
        epilog=f"experiments:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("name", nargs="?", metavar="NAME", choices=[*EXPERIMENTS, "paper"], help="which")
    made.add_argument(
        "--output", metavar="FILE", type=Path, help="default: results/NAME.csv (paper: a folder)"
    )
    made.add_argument(
        "--page", metavar="PAGE", type=Path, default=Path("book/paper.md"), help="that paper writes"
    )
    made.add_argument("--seeds", metavar="N", type=int, help="random problems a setting, in whole blocks")
    made.add_argument("--workers", metavar="N", type=int, default=-1, help="processes (default: one a core)")
    made.add_argument("--cluster", metavar="ADDRESS", help="scheduler of a Dask cluster to compute on")
    made.add_argument("--describe", action="store_true", help="say what it does, and stop")
    made.add_argument("--report", action="store_true", help="print the table of FILE, and stop")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m margins_book.experiments` with its `arguments`; the exit status."""
    made = parser()
    options = made.parse_args(arguments)
    if options.name is None:
        made.print_help()
        return 0
    path = options.output or Path("results") / (
        options.name if options.name == "paper" else f"{options.name}.csv"
    )
    try:
        print("\n".join(_paper(options, path) if options.name == "paper" else _experiment(options, path)))
    except ValueError as reason:
        made.exit(2, f"{made.prog}: {reason}\n")
    except KeyboardInterrupt:
        made.exit(130, f"\nStopped. What was finished is in {path}; the same line goes on from there.\n")
    return 0


def _paper(options: argparse.Namespace, folder: Path) -> list[str]:
    """What to print of the run of all experiments."""
    if options.seeds or options.describe or options.report:
        raise ValueError("paper has its sizes and its report: it takes no --seeds, --describe or --report")
    results = run_paper(folder, options.page, cluster=options.cluster, workers=options.workers)
    seconds = [[name, f"{result.seconds:.1f}"] for name, result in results.items()]
    return [*lines(["experiment", "processor seconds"], seconds), f"the report is in {options.page}"]


def _experiment(options: argparse.Namespace, path: Path) -> list[str]:
    """What to print of one experiment: what it does, or its table."""
    experiment = EXPERIMENTS[options.name]
    sweep = experiment.sweep(*_seeds(options.seeds, experiment.SETTINGS["block"]))
    if options.describe:
        return [_description(experiment, sweep)]
    if options.report and not path.exists():
        raise ValueError(f"there is no {path} yet: run the experiment without --report first")
    results = Results(path, sweep.settings)
    cells = results.done | {label(cell) for cell in sweep.cells}
    if options.seeds and len(cells) > len(sweep.cells):
        more = f"{len(cells) - len(sweep.cells)} of its cells belong to others"
        raise ValueError(f"--seeds must be at least what {path} holds, but got {options.seeds} and {more}")
    if not options.report:
        results = run(sweep, path, cluster=options.cluster, workers=options.workers)
    if not results.done:
        raise ValueError(f"no cell in {path} is finished yet: run the experiment without --report first")
    print(f"{len(results.done)} of {len(cells)} cells are in {path}", file=sys.stderr)
    try:
        return report(options.name, experiment.estimates(results.table()))
    except KeyError as missing:
        raise ValueError(f"{path} has no column {missing}, so it is not of {options.name}") from None


def _seeds(seeds: int | None, block: int) -> tuple[int, ...]:
    """The argument of `sweep`: nothing for its own number of seeds."""
    if seeds is None:
        return ()
    if seeds < block or seeds % block:
        raise ValueError(f"--seeds must be a multiple of the block of {block} problems, but got {seeds}")
    return (seeds,)


def _description(experiment: ModuleType, sweep: Sweep) -> str:
    settings = "\n".join(f"  {name}: {value}" for name, value in sweep.settings.items())
    return f"{(experiment.__doc__ or '').strip()}\n\nsettings:\n{settings}\n\n{len(sweep.cells)} cells"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, width=86, subsequent_indent=" " * 22)


if __name__ == "__main__":
    sys.exit(main())
