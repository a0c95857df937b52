"""Trains a small Transformer from five seeds, in about ten minutes, and records it in lib/margins/data.

The files are heads.csv and head_measures.csv.
"""

import argparse

from margins_book.experiments.trained_head.record import record, write

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m margins_book.experiments.trained_head", description=__doc__
    ).parse_args()
    write(*record())
