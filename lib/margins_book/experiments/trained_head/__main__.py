"""`python -m margins_book.experiments.trained_head`: train the heads from all seeds, record them."""

import argparse
import sys
from collections.abc import Sequence

from margins_book.experiments.trained_head.record import SEEDS, record, write


def main(arguments: Sequence[str] | None = None) -> int:
    """The command with its `arguments`; the exit status."""
    made = argparse.ArgumentParser(
        prog="python -m margins_book.experiments.trained_head",
        description=f"Trains a small Transformer from {len(SEEDS)} seeds, two minutes each, and records "
        "its heads in lib/margins/data: heads.csv and head_measures.csv.",
    )
    made.parse_args(arguments)
    write(*record())
    return 0


if __name__ == "__main__":
    sys.exit(main())
