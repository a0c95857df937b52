"""The experiment on several tokens: which candidates count."""

import numpy as np
import pytest

from tests.margins_book.experiments.made_tables import reported


def test_several_tokens_counts_candidates_with_some_negative_label_and_describes_the_accepted():
    verdicts = ["labels"] * 4 + ["unclear"] * 3 + ["accepted"] * 5
    values = [np.nan] * 7 + [0.1, 0.2, 0.3, 0.4, 2.0]
    columns = ("equivalent", "directional", "single", "across")
    rows = [
        {"d": 4, "seed": s, "verdict": verdict} | {name: value * (k + 1) for k, name in enumerate(columns)}
        for s, (verdict, value) in enumerate(zip(verdicts, values, strict=True))
    ]
    found = reported("several-tokens", rows)
    assert found["d=4", "accepted"] == pytest.approx(5 / 8)
    assert found["d=4", "mean equivalent"] == pytest.approx(0.6)
    assert found["d=4", "median equivalent"] == pytest.approx(0.3)
    assert found["d=4", "median across"] == pytest.approx(1.2)
