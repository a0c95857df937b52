"""Published values: each names its source and a quantity that an experiment estimates."""

import csv

from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.published import FILE, published
from margins_book.experiments.recorded import recorded
from margins_book.experiments.report import label


def test_every_published_value_names_its_source_and_a_quantity_that_is_measured():
    with open(FILE, newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["experiment"], row["setting"], row["quantity"]) for row in rows}) == len(rows) > 20
    assert all(float(row["value"]) > 0 and len(row["source"]) > 20 for row in rows)
    for name in {row["experiment"] for row in rows} & set(EXPERIMENTS):
        estimates = EXPERIMENTS[name].estimates(recorded(name))
        measured = {(label(setting), quantity) for setting, values in estimates for quantity in values}
        assert set(published(name)) <= measured
