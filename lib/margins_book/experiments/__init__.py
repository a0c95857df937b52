"""Experiments on trained attention: sweeps that use all cores or a cluster, resume, and keep plain tables.

`python -m margins_book.experiments --help` lists them and says how to run one.
(book: The paper in a minute, What ran)
"""

from margins_book.experiments.report import label
from margins_book.experiments.results import Results
from margins_book.experiments.sweep import Sweep, measured, run, run_all

__all__ = ["Results", "Sweep", "label", "measured", "run", "run_all"]
