"""The moving figures of the built site, and what readers of their tests share."""

import re

import pytest

from tests.book.conftest import CHAPTERS, PAGES, SITE

SHOWN = """figure => [figure.querySelector(".explorable-frame").innerHTML,
    figure.querySelector("output").innerText]"""
# labels of which letters lie under a point that the reader drags; a font gives them more room than they need
UNDER_A_POINT = """figure => [...figure.querySelectorAll("[data-handle]")].flatMap(point => {
    const {left, top, width, height} = point.getBoundingClientRect();
    const [x, y, radius] = [left + width / 2, top + height / 2, Math.max(width, height) / 2];
    const isUnder = text => {
        const box = text.getBoundingClientRect(), svg = text.ownerSVGElement;
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        const spare = Math.max(0, box.height - scale * parseFloat(getComputedStyle(text).fontSize)) / 2;
        const across = Math.max(box.left - x, x - box.right, 0);
        const up = Math.max(box.top + spare - y, y - box.bottom + spare, 0);
        return box.width > 0 && text.checkVisibility({visibilityProperty: true, opacityProperty: true})
            && Math.hypot(across, up) < radius - 1;
    };
    return [...figure.querySelectorAll(".explorable-panel text")].filter(isUnder)
        .map(text => `“${text.textContent}” under ${point.dataset.handle}`);
})"""
FIGURE = re.compile(r'<figure class="explorable" id="([^"]+)"')


def explorables(path):
    """The names of a page's figures, from its text: every run collects them, and parsing takes a second."""
    return FIGURE.findall((SITE / path).read_text())


FIGURES = [(path, name) for path in PAGES for name in explorables(path)]
PAGES_WITH_FIGURES = sorted({path for path, _ in FIGURES})
# in `make test` that of the landing page and some of one chapter are moved in every way
SOME = [*explorables("index.html"), *explorables(CHAPTERS[0])[:3]]
# with ALL=1 all of them, but of stories one: there a chapter's figures begin elsewhere
STORY, *OTHER_STORIES = [page for page in PAGES if page.startswith("stories/")]
MOVED = [(path, name) for path, name in FIGURES if path not in OTHER_STORIES]
EACH = [pytest.param(*figure, marks=[] if figure[1] in SOME else pytest.mark.full) for figure in MOVED]
each_figure = pytest.mark.parametrize(("opened", "name"), EACH, indirect=["opened"], scope="module")


def bring(figure):
    """The figure beside the text, where others wait for the part of the page that they belong to."""
    figure.locator(".explorable-reset").focus()


def ready(page, name):
    """The figure in view, its frames loaded, as it was when the page came."""
    figure = page.locator(f"#{name}")
    figure.scroll_into_view_if_needed()
    bring(figure)
    figure.evaluate("figure => figure.source.load()")
    figure.locator(".explorable-reset").click()
    return figure


def no_label_is_under_a_point(page, figure):
    """As the figure starts; in a story the scene says where a point stands, as elsewhere the reader."""
    if not page.path.startswith("stories/"):
        assert figure.evaluate(UNDER_A_POINT) == []


def shown(figure):
    """The drawing and the sentence."""
    return figure.evaluate(SHOWN)
