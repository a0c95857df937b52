"""The experiment on rates: exponents of the last tenfold of steps."""

import numpy as np
import pytest

from tests.margins_book.experiments.made_tables import reported


def test_rates_are_fitted_to_the_last_tenfold_of_steps():
    """Each problem has its own factor and power; before 3000 steps another power holds."""
    powers = {0: 0.5, 1: 1.0, 2: 1.5}
    rows = [
        {"seed": s, "form": "plain", "iteration": k, "logit gap": 10.0 * s + k}
        | {"distance": (s + 1) * (k / 3000) ** -(p if k >= 3000 else 7.0)}
        for s, p in powers.items()
        for k in (1000, 3000, 10000, 20000)
    ]
    rows += [row | {"seed": 9, "distance": np.nan} for row in rows[:4]]
    found = reported("rates", rows)
    assert found["form=plain iteration=20000", "exponent of distance"] == pytest.approx(-1.0)
    assert found["form=plain iteration=3000", "distance"] == 2.0
    assert found["form=plain iteration=10000", "logit gap"] == 10010.0
    assert ("form=plain iteration=10000", "exponent of distance") not in found
