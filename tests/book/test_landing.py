"""What the landing page shows before a reader scrolls."""

import re

import pytest

FIRST_SCREENS = ("laptop", "wide", "phone")


@pytest.mark.parametrize("screen", FIRST_SCREENS)
def test_where_to_begin_how_long_it_takes_and_the_figure_are_on_the_first_screen(visit, screen):
    with visit("index.html", screen=screen) as page:
        height = page.viewport_size["height"]
        begin, told = page.locator(".begin a"), page.locator(".begin p")
        assert begin.inner_text().startswith("Begin here")
        assert re.search(r"\d+ hours to read", told.inner_text())
        for part in (begin, told):
            box = part.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height
        drawing = page.locator("figure.explorable svg").first.bounding_box()
        assert 0 <= drawing["y"] < height - 40, "of the drawing only a strip is seen, or nothing"
