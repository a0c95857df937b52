"""`python -m margins_book.experiments NAME`: run an experiment on all cores, print and keep its table."""

import argparse
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from margins.validation import count
from margins_book.experiments.catalogue import EXPERIMENTS, cells, question, run
from margins_book.experiments.paper import run_paper
from margins_book.experiments.report import lines, report

HOW = """\
Without NAME the experiments are listed. With NAME its blocks of problems are measured on all cores of this
computer, and its table is printed; the numbers of all problems are then in results/NAME.csv, one line with
the settings and a CSV table. Stop with Ctrl-C whenever you like, and call the same line again to go on.

examples:
  python -m margins_book.experiments ranks                      the study of ranks
  python -m margins_book.experiments ranks --seeds 400          with four times as many random problems
  python -m margins_book.experiments ranks --describe           the question, the settings, how many problems
  python -m margins_book.experiments paper                      run and record all of them, write their page
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
    folder, page = Path("results"), Path("book/paper.md")
    made.add_argument("--output", metavar="FOLDER", type=Path, default=folder, help="default: results")
    made.add_argument("--page", metavar="PAGE", type=Path, default=page, help="that paper writes")
    made.add_argument("--seeds", metavar="N", type=int, help="random problems a setting, in whole blocks")
    made.add_argument("--workers", metavar="N", type=int, default=-1, help="processes (default: one a core)")
    made.add_argument("--describe", action="store_true", help="say what it does, and stop")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m margins_book.experiments` with its `arguments`; the exit status."""
    made = parser()
    options = made.parse_args(arguments)
    if options.name is None:
        made.print_help()
        return 0
    try:
        if options.workers != -1:
            count("workers", options.workers)
        print("\n".join(_paper(options) if options.name == "paper" else _experiment(options)))
    except (ValueError, OSError) as reason:
        made.exit(2, f"{made.prog}: {reason}\n")
    except KeyboardInterrupt:
        made.exit(130, f"\nStopped. The same line goes on from what waits in {options.output}.\n")
    return 0


def _paper(options: argparse.Namespace) -> list[str]:
    """What to print of the run of all experiments."""
    if options.seeds or options.describe:
        raise ValueError("paper has its sizes and its report: it takes no --seeds and no --describe")
    runs = run_paper(options.output, options.page, workers=options.workers)
    seconds = [[name, f"{one.seconds:.1f}"] for name, one in runs.items()]
    return [*lines(["experiment", "processor seconds"], seconds), f"the report is in {options.page}"]


def _experiment(options: argparse.Namespace) -> list[str]:
    """What to print of one experiment: what it does, or its table."""
    name, experiment = options.name, EXPERIMENTS[options.name]
    block = experiment.SETTINGS["block"]
    if options.seeds is not None and (options.seeds < block or options.seeds % block):
        raise ValueError(
            f"--seeds must be a multiple of the block of {block} problems, but got {options.seeds}"
        )
    if options.describe:
        settings = [f"  {key}: {value}" for key, value in experiment.SETTINGS.items()]
        problems = block * len(cells(name, options.seeds))
        return [(experiment.__doc__ or "").strip(), "\nsettings:", *settings, f"\n{problems:,} problems"]
    one = run([name], options.output, seeds=options.seeds, workers=options.workers)[name]
    path = options.output / f"{name}.csv"
    path.write_text(one.text(), encoding="utf8")
    end = f"{one.seconds:.1f} processor seconds; the numbers of all problems are in {path}"
    return [*report(name, experiment.estimates(one.table())), end]


def _wrapped(text: str) -> str:
    return textwrap.fill(text, width=86, subsequent_indent=" " * 22)


if __name__ == "__main__":
    sys.exit(main())
