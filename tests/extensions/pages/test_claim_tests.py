"""Beside a test, the ledger says what it compared last and how often it holds with other random numbers."""

from types import SimpleNamespace

import pytest

from extensions.pages.claim_tests import claim_test


@pytest.mark.parametrize(
    ("compared", "draws", "words"),
    [
        (
            {"test_x": "2 < 3"},
            {"test_x": "holds in 17 of 20 draws"},
            " (2 < 3; holds in 17 of 20 draws)",
        ),
        ({}, {"test_x": "holds in 20 of 20 draws"}, " (holds in 20 of 20 draws)"),
        ({"test_x": "2 < 3"}, {}, " (2 < 3)"),
        ({}, {"test_c1_02": "holds in 20 of 20 draws"}, ""),
    ],
)
def test_a_link_to_a_test_says_what_is_known_of_it(compared, draws, words):
    builder = SimpleNamespace(get_relative_uri=lambda page, target: f"../{target}.html")
    app = SimpleNamespace(
        builder=builder, claim_tests={"test_x": "tests/x"}, compared=compared, test_draws=draws
    )
    inliner = SimpleNamespace(
        document=SimpleNamespace(settings=SimpleNamespace(env=SimpleNamespace(app=app)))
    )
    inliner.document.settings.env.docname = "book/claims"
    (link, *rest), _ = claim_test("claim-test", "", "test_x", 1, inliner)
    assert link["refuri"] == "../tests/x.html#test_x"
    assert "".join(node.astext() for node in rest) == words
