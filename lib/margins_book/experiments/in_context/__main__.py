"""Trains the networks that answer prompts, in about ten minutes of processor time, and records them.

The files are prompt_networks.csv and prompt_measures.csv in lib/margins/data.
"""

import argparse

from margins_book.experiments.in_context.record import record, write

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m margins_book.experiments.in_context", description=__doc__
    ).parse_args()
    write(*record())
