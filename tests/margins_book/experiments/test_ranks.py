"""The experiment on ranks: means over feasible problems."""

import numpy as np
import pytest

from tests.margins_book.experiments.made_tables import reported


def test_ranks_are_means_over_feasible_problems():
    solved = {"frobenius": 3.0, "nuclear": 2.0, "bound": 2.0, "fine": 4.0}
    rows = [{"n": 5, "T": 5, "d": 4, "seed": s, "feasible": 1} | solved for s in range(3)]
    rows[0] |= {"nuclear": 1.0, "fine": 1.0}
    rows += [rows[0] | {"seed": 3, "feasible": 0} | dict.fromkeys(solved, np.nan)]
    rows += [row | {"d": 2} for row in rows[-1:]]
    found = reported("ranks", rows)
    assert found["n=5 T=5 d=4", "feasible"] == 0.75
    assert found["n=5 T=5 d=4", "rank nuclear"] == pytest.approx(5 / 3)
    assert found["n=5 T=5 d=4", "rank fine"] == pytest.approx(3.0)
    assert found["n=5 T=5 d=2", "feasible"] == 0.0
    assert ("n=5 T=5 d=2", "rank nuclear") not in found
