"""What a test of a claim compared last goes into its report: the ledger's page shows it."""

from tests.measured import PROPERTY, comparison


def pytest_assertion_pass(item, lineno, orig, expl):
    if said := comparison(expl):
        item.user_properties[:] = [(PROPERTY, said)]
