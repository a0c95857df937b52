"""Stories in a browser: scenes show their states, beside the text or above it, without a script too."""

import pytest
from playwright.sync_api import expect

from conftest import full
from tests.book.conftest import PAGES, SCREENS, parsed

FIRST, *OTHERS = ALL = [page for page in PAGES if page.startswith("stories/")]
STORIES = [FIRST, *full(*OTHERS)]  # all of one form
PARTS = ["scene-figure", "scene-text", "scene-formula", "scene-link"]
# of each scene, whether its figure begins where the text does, right of it, or stands above it
PLACES = """() => [...document.querySelectorAll(".scene")].map(scene => {
    scene.style.contentVisibility = "visible";
    const boxes = [".scene-figure", ".scene-text"].map(box => scene.querySelector(box));
    const [figure, text] = boxes.map(box => box.getBoundingClientRect());
    return figure.left >= text.right && Math.abs(figure.top - text.top) < 5 ? "beside"
        : figure.bottom <= text.top && figure.left === text.left ? "above" : "elsewhere";
})"""


@pytest.mark.parametrize("path", ALL)
def test_scenes_have_their_parts_and_lead_to_the_chapter_whose_figures_they_show(path):
    story, chapter = parsed(path), parsed(path.replace("stories", "chapters"))
    assert not story.select(".cell, details.hide, .in-page, .run-it, .caption-number")
    for scene in story.select("section.scene"):
        kinds = [name for part in scene.select(":scope > [class]") for name in part["class"] if name in PARTS]
        assert kinds == [part for part in PARTS if part in kinds]
        assert {*kinds} >= {*PARTS} - {"scene-formula"}
        assert len(scene.select(".scene-figure > figure.explorable")) == 1
        assert len(scene.select(".explorable-prompts")) == len(scene.select("figure + .explorable-prompts"))
    tables = {figure["data-frames"] for figure in chapter.select("figure.explorable")}
    assert {figure["data-frames"] for figure in story.select("figure.explorable")} <= tables
    head, way = story.select_one(".story-head a"), chapter.select_one(".to-story a")
    assert (head["href"], way["href"]) == (f"../{path.replace('stories', 'chapters')}", f"../{path}")
    assert story.h1.text.startswith(f"{' '.join(way.text.split())}: ")
    assert story.select("h1 + button.present")
    assert not chapter.select("button.present, script[src*='present.js']")


@pytest.mark.parametrize("path", STORIES)
def test_each_scene_shows_its_state_and_moves_beside_the_text_or_above_it(visit, path):
    """The script leaves the states as they were built; the first figure with a point moves, and is reset.

    Figures with one table ask for it once.
    """
    built = [figure.output.get_text() for figure in parsed(path).select(".scene figure.explorable")]
    with visit(path, screen="laptop") as page:
        assert page.locator(".scene figure.explorable output").all_text_contents() == built
        first = page.locator(".scene figure.explorable:has(.explorable-handle)").first
        before = first.locator("output").text_content()
        first.locator(".explorable-handle").first.press("ArrowLeft")
        expect(first.locator("output")).not_to_have_text(before)
        first.get_by_role("button", name="Reset").click()
        expect(first.locator("output")).to_have_text(before)
        for scene in page.locator(".scene").all():
            scene.scroll_into_view_if_needed()
        tables = {figure["data-frames"].rpartition("/")[2] for figure in parsed(path).select("[data-frames]")}
        page.wait_for_load_state("networkidle")
        assert len([url for url in page.asked if "/explorables/" in url]) == len(tables)
        for screen, place in (("laptop", "beside"), ("desktop", "beside"), ("phone", "above")):
            page.set_viewport_size(SCREENS[screen])
            assert set(page.evaluate(PLACES)) == {place}
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("path", STORIES)
def test_without_a_script_and_on_paper_scenes_are_whole(visit, path):
    with visit(path, screen="laptop", java_script_enabled=False) as page:
        for media in ("screen", "print"):
            page.emulate_media(media=media)
            assert page.locator(".scene figure svg:visible").count() >= page.locator(".scene").count()
