"""`python -m margins_book.experiments.in_context`: train the networks that answer prompts, record them."""

import argparse
import sys
from collections.abc import Sequence

from margins_book.experiments.in_context.record import record, write


def main(arguments: Sequence[str] | None = None) -> int:
    """The command with its `arguments`; the exit status."""
    made = argparse.ArgumentParser(
        prog="python -m margins_book.experiments.in_context",
        description="Trains small networks of softmax attention to answer prompts, in about six minutes "
        "on one core, and records them in lib/margins/data: prompt_networks.csv and prompt_measures.csv.",
    )
    made.parse_args(arguments)
    write(*record())
    return 0


if __name__ == "__main__":
    sys.exit(main())
