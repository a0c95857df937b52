"""The experiment on ranks by a first-order solver: infeasible problems count as in published curves."""

import numpy as np
import pytest

from tests.margins_book.experiments.made_tables import reported


def test_first_order_ranks_count_infeasible_problems_as_published_curves_do():
    rows = [
        {"n": 5, "d": 4, "seed": s, "feasible": int(s < 3), "certified": c, "first_order": f, "error": e}
        for s, (c, f, e) in enumerate(
            [(2.0, 4.0, 0.1), (2.0, 4.0, 0.2), (3.0, 5.0, 0.9), (np.nan, 1.0, np.nan)]
        )
    ]
    found = reported("ranks-first-order", rows)
    assert found["n=5 d=4", "rank certified"] == pytest.approx(7 / 3)
    assert found["n=5 d=4", "rank first_order"] == pytest.approx(13 / 3)
    assert found["n=5 d=4", "error of W"] == 0.2
    assert found["n=5 d=4", "rank as published"] == pytest.approx(14 / 4)
