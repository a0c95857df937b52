"""The experiment on the limits of regularisation paths: slopes of the last decade of radii."""

import numpy as np
import pytest

from tests.margins_book.experiments.made_tables import reported


def test_slopes_of_paths_belong_to_the_decade_from_300_to_3000():
    rows = [
        {
            "seed": s,
            "form": form,
            "radius": R,
            "own": (s + 1) * R**-p,
            "other": 0.3 + s / 10,
            "predicted": 0.4,
        }
        for form, powers in (("W", (1.0, 1.0, 3.0)), ("KQ", (0.5, 2.0, 2.0)))
        for s, p in enumerate(powers)
        for R in (300.0, 3000.0)
    ]
    rows += [row | {"seed": 7, "own": np.nan, "other": np.nan} for row in rows[:2]]
    found = reported("path-limits", rows)
    assert found["form=W R Gamma=300 to 3000", "slope"] == pytest.approx(-1.0)
    assert found["form=KQ R Gamma=300 to 3000", "slope"] == pytest.approx(-2.0)
    assert found["form=W R Gamma=300", "times R Gamma"] == pytest.approx(1.0)
    assert found["form=KQ R Gamma=3000", "other normalisation"] == pytest.approx(0.4)
    assert found["form=KQ R Gamma=3000", "from its prediction"] == pytest.approx(0.1)
    assert ("form=W R Gamma=3000", "from its prediction") not in found
