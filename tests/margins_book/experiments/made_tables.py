"""Tables that were made so that their estimates are known."""

import numpy as np

from margins_book.experiments.catalogue import EXPERIMENTS


def shuffled_table(rows):
    """The columns of rows, in a random order."""
    rows = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def reported(name, rows):
    """The values of each estimate by its setting, "d=4 form=W" for instance, and its quantity."""
    return {
        (" ".join(f"{key}={value}" for key, value in setting.items()), quantity): estimate.value
        for setting, estimates in EXPERIMENTS[name].estimates(shuffled_table(rows))
        for quantity, estimate in estimates.items()
    }
