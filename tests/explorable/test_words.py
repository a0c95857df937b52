"""Words that point at a mark: lit while the reader is on them, and kept lit once they are chosen."""

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


def test_a_word_lights_its_mark_while_the_mouse_or_the_focus_is_on_it(hand):
    page, word, lit = hand()
    word.hover()
    expect(lit).to_have_attribute("data-l", "hand")
    page.mouse.move(0, 0)
    expect(lit).to_have_count(0)
    word.focus()
    expect(lit).to_have_count(1)
    word.blur()
    expect(lit).to_have_count(0)


@pytest.mark.parametrize("choose", ["click", "tap", "Enter"])
def test_a_chosen_word_keeps_its_mark_lit_and_the_page_where_it_is(hand, choose):
    page, word, lit = hand(has_touch=True)
    getattr(word, choose)() if choose != "Enter" else word.press("Enter")
    page.mouse.move(0, 0)
    word.blur()
    expect(lit).to_have_attribute("data-l", "hand")
    assert "chosen" in word.get_attribute("class")
    assert page.evaluate("scrollY") == 0
    assert "#" not in page.url


def test_escape_and_a_touch_of_the_figure_end_it(hand):
    page, word, lit = hand()
    word.click()
    page.mouse.move(0, 0)
    word.press("Escape")
    assert "chosen" not in word.get_attribute("class")
    word.blur()
    expect(lit).to_have_count(0)
    word.click()
    x, y = centre(page.locator("#ex-wheel .explorable-frame"))
    page.mouse.move(x, y)
    page.mouse.move(0, 0)
    expect(lit).to_have_count(1)
    page.mouse.click(x, y + 40)
    page.mouse.move(0, 0)
    expect(lit).to_have_count(0)


def test_a_figure_that_is_off_the_screen_is_gone_to_and_its_mark_is_lit(hand):
    page, word, lit = hand()
    page.set_viewport_size({"width": 900, "height": 300})
    page.evaluate("scrollTo(0, 0)")
    word.click()
    page.mouse.move(0, 0)
    expect(page.locator("#ex-wheel .explorable-frame")).to_be_in_viewport()
    expect(lit).to_have_count(1)
    assert page.url.endswith("#ex-wheel")
