"""Words that point at marks: lit while the reader is on them, quietly until something else points."""

import pytest
from playwright.sync_api import expect

from tests.explorable.conftest import centre


@pytest.fixture
def hand(visit):
    """A function that opens the page of the wheel; gives the page, the word and what is lit."""

    def opened(**options):
        page = visit("chapters/guesses.html", viewport={"width": 900, "height": 1800}, **options)
        return page, page.get_by_role("link", name="hand", exact=True), page.locator("#ex-wheel .lit")

    return opened


def test_who_chooses_a_word_beside_its_figure_stays_there_until_the_figure_is_touched(hand):
    page, word, lit = hand(has_touch=True)
    for choose in (word.tap, lambda: word.press("Enter"), word.click):
        choose()
        page.mouse.move(0, 0)
        word.blur()
        expect(lit).to_have_attribute("data-l", "hand")
        expect(word).to_contain_class("lights")
        assert page.evaluate("scrollY") == 0
        assert "#" not in page.url
        page.keyboard.press("Escape")
        expect(lit).to_have_count(0)
    word.click()
    x, y = centre(page.locator("#ex-wheel .explorable-frame"))
    page.mouse.move(x, y)
    page.mouse.move(0, 0)
    expect(lit).to_have_count(1)
    page.mouse.click(x, y + 40)
    page.mouse.move(0, 0)
    expect(lit).to_have_count(0)
    expect(word).not_to_contain_class("lights")


def test_a_word_has_the_colour_of_its_mark_and_lights_an_aside_once_its_table_is_there(visit, origin):
    page, waiting = visit("index.html", viewport={"width": 900, "height": 900}, reduced_motion="reduce"), []
    page.route("**/explorables/*.json", lambda route: waiting.append(route))
    with page.expect_request("**/explorables/*.json"):
        page.goto(f"{origin}/chapters/told.html")
    asides = page.locator("#ex-swing [data-aside]")
    expect(asides).to_have_count(0)
    rod = page.locator('#ex-swing [data-l="rod"]').get_attribute("stroke")
    word = page.get_by_role("link", name="The rod", exact=True)
    assert rod.startswith("var(--m-c0")
    assert word.evaluate("word => word.style.getPropertyValue('--points-at')") == rod
    page.get_by_role("link", name="second", exact=True).press("Shift")
    for route in waiting:
        route.continue_()
    path = page.locator('#ex-swing [data-aside="path"]')
    expect(path).to_contain_class("on")
    expect(path).to_contain_class("lit")
    page.get_by_role("link", name="second", exact=True).blur()
    expect(page.locator("#ex-swing")).to_contain_class("kept")  # lit quietly
    expect(path).to_contain_class("lit")
    for mark in page.locator('#ex-swing [data-aside="height"]').all():
        expect(mark).to_have_css("visibility", "hidden")
