"""The ledger as an instrument: what is chosen is shown and counted; without a script all is shown."""

from collections import Counter

from playwright.sync_api import expect

from extensions.pages.errata import lines_of_tests
from margins_book.ledger import anchor, chapter_of, read_ledger
from tests.book.conftest import parsed

CLAIMS = read_ledger().claims
KINDS = {
    "chapter": lambda claim: str(chapter_of(claim)),
    "verdict": lambda claim: claim["verdict"].replace(" ", "-"),
    "source": lambda claim: claim["source"][0],
    "status": lambda claim: claim["status"].replace(" ", "-"),
}
COUNTS = """kind => Object.fromEntries([...document.querySelectorAll(`.ledger-filter [name=${kind}]`)]
    .map(box => [box.value, Number(box.parentElement.querySelector(".count").textContent)]))"""


def agreeing(**chosen):
    """The claims whose values are among those chosen."""
    return [c for c in CLAIMS if all(KINDS[kind](c) in values for kind, values in chosen.items())]


def assert_shown(page, **chosen):
    """The rows, their number in words, and of each kind the counts that its own choice does not narrow."""
    wanted = agreeing(**chosen)
    shown = page.locator(".claim:not([hidden])").evaluate_all("rows => rows.map(row => row.id)")
    assert shown == [anchor(claim) for claim in wanted]
    words = page.get_by_role("form", name="Filter the claims").get_by_role("status")
    expect(words).to_have_text(f"{len(wanted)} of {len(CLAIMS)} claims are shown.")
    for kind, value in KINDS.items():
        others = {name: values for name, values in chosen.items() if name != kind}
        counted = {name: count for name, count in page.evaluate(COUNTS, kind).items() if count}
        assert counted == Counter(map(value, agreeing(**others)))


def test_the_ledger_is_filtered_by_keyboard_and_from_the_address(visit):
    with visit("book/claims.html") as page:
        assert_shown(page)
        page.get_by_role("group", name="Verdict").get_by_role("checkbox", name="wrong").focus()
        page.keyboard.press("Space")
        assert_shown(page, verdict=["wrong"])
        page.get_by_role("group", name="Chapter").get_by_role("checkbox").first.focus()
        for key in ("Space", "Tab", "Space"):
            page.keyboard.press(key)
        assert_shown(page, verdict=["wrong"], chapter=["1", "2"])
        headings = page.locator("main h2:visible").all_inner_texts()
        assert [heading.rstrip("#") for heading in headings] == [
            f"Chapter {n}" for n in sorted({chapter_of(c) for c in agreeing(verdict=["wrong"], chapter="12")})
        ]
        page.reload()
        assert_shown(page, verdict=["wrong"], chapter=["1", "2"])
        page.evaluate("location.hash = '#claim-c3-01'")
        expect(page.locator("#claim-c3-01")).to_be_in_viewport()
        assert_shown(page)
        assert "?" not in page.url


def test_every_claim_is_read_without_script_and_leads_to_its_place_and_its_tests():
    soup = parsed("book/claims.html")
    assert [row["id"] for row in soup.select(".claim")] == [anchor(claim) for claim in CLAIMS]
    assert not soup.select(".claim[hidden], .ledger-filter")
    lines = lines_of_tests()
    for claim in CLAIMS:
        row = soup.find(id=anchor(claim))
        links = [link["href"] for link in row.select("dd:last-of-type a")]
        assert links[0].startswith(("../chapters/", "errata.html#"))
        tests = [link.partition("/blob/main/")[2] for link in links if "/blob/main/" in link]
        assert tests == ["{}#L{}".format(*lines[test]) for test in claim["tests"]]
