"""Reports: tables by setting, published values beside estimates."""

import numpy as np

from margins_book.experiments.estimates import Estimate
from margins_book.experiments.report import groups, report


def test_tables_are_grouped_by_the_values_of_their_columns():
    table = {"a": np.array([2, 1, 2]), "x": np.array([5, 6, 7])}
    assert [(key, part["x"].tolist()) for key, part in groups(table, "a")] == [((1,), [6]), ((2,), [5, 7])]


def test_estimates_stand_beside_published_values():
    estimates = {"mean single": Estimate(0.15, 0.14, 0.16), "other": Estimate(2)}
    lines = report("several-tokens", [({"d": 4}, estimates)])
    assert lines[1].split() == ["4", "0.150", "(0.140", "to", "0.160)", "{0.156}", "2"]
