"""The ledger links the tests of a claim."""

from types import SimpleNamespace

from extensions.pages.claim_tests import claim_test


def test_a_test_is_a_link_to_its_source():
    builder = SimpleNamespace(get_relative_uri=lambda page, target: f"../{target}.html")
    app = SimpleNamespace(builder=builder, claim_tests={"test_x": "tests/x"})
    env = SimpleNamespace(app=app, docname="book/claims")
    inliner = SimpleNamespace(document=SimpleNamespace(settings=SimpleNamespace(env=env)))
    (link,), _ = claim_test("claim-test", "", "test_x", 1, inliner)
    assert link["refuri"] == "../tests/x.html#test_x"
    assert link.astext() == "test_x"
