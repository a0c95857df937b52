"""The pages of figures alone: each figure has one, which moves in any frame; and what *Share* gives of it."""

import html
import re
import struct
from functools import cache
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from scripts.editions.site import settings
from scripts.serving import serve
from tests.book.conftest import EVERY, FIGURE_PAGES, SITE
from tests.explorable.conftest import drag

FIGURE = re.compile(r'<figure class="(?:explorable|figure)" id="([^"]+)"[^>]* data-alone="([^"]*)"')
ANY_FIGURE = re.compile(r'<figure class="(?:explorable|figure)" id="')
VOTES = "chapters/03_softmax_kernel.html", f"{FIGURE_PAGES}/03_softmax_kernel/votes.html"
KEY_0, KEY_3 = (0.825, 0.28125), (-1.925, 0.46875)  # places near two keys
AT_0 = "Softmax prefers key 1 (0.47); the Gaussian prefers key 0 (0.39), the nearest."
AT_3 = "Softmax prefers key 3 (0.87); the Gaussian prefers key 3 (0.67), the nearest."
SVG = "{http://www.w3.org/2000/svg}"


@cache
def text_of(path):
    return (SITE / path).read_text()


def named(text, attribute):
    return html.unescape(re.search(attribute + r'="([^"]*)"', text)[1])


def test_every_figure_has_a_page_of_its_own():
    """And each such page has its figure, a title, a description and an address that search engines keep."""
    said, made = set(), {file.relative_to(SITE).as_posix() for file in (SITE / FIGURE_PAGES).rglob("*.html")}
    for page in EVERY:
        text = text_of(page)
        found = FIGURE.findall(text)
        assert len(found) == len(ANY_FIGURE.findall(text)), f"{page}: a figure has no page"
        said |= {urljoin(page, alone) for _, alone in found}
    assert said == made
    assert len(made) > 100
    titles = [check_page(path) for path in made]
    assert len(set(titles)) == len(titles)


def check_page(path):
    text = text_of(path)
    title = html.unescape(re.search("<title>(.*?)</title>", text)[1])
    assert 30 < len(title) <= 90, f"{path}: {title}"
    assert re.match(r"Figure [\d.]+: ", title), f"{path}: {title}"
    assert "/_images/" in named(text, 'property="og:image" content'), path
    assert text.count('rel="preload"') == 3, f"{path}: its fonts"
    assert 15 < len(named(text, 'name="description" content')) <= 170, path
    assert named(text, 'rel="canonical" href') == settings()["html"]["baseurl"] + path
    assert [name for name, alone in FIGURE.findall(text) if alone == ""] in (
        [f"ex-{stem(path)}"],
        [f"fig-{stem(path)}"],
    )
    assert all(f'id="{inside}"' in text for inside in re.findall('href="#([^"]*)"', text)), path
    leave = [
        link for link in re.findall("<a [^>]*href=[^>]*>", text.split("<main", 1)[1]) if 'href="#' not in link
    ]
    assert all(re.search('target="_(top|blank)"', link) for link in leave), f"{path}: a link stays in a frame"
    assert '<use href="..' not in text, f"{path}: the shapes of its marks are elsewhere"
    home, place = re.search(r'class="from">From <a href="([^"]*)#([^"]*)"', text).groups()
    assert f'id="{place}"' in text_of(urljoin(path, home))
    return title


def stem(path):
    return path.rpartition("/")[2].removesuffix(".html")


# By how many pixels the knob of the query goes to a place.
TO = """([x, y]) => {
    const {view} = document.querySelector("#ex-votes"), {panel, x: across, y: up} = view.places.query;
    const box = view.panels[panel].getBoundingClientRect();
    const scale = box.width / view.views[panel].svg.viewBox.baseVal.width;
    return [scale * across[1] * (x - view.value("query_x")), scale * up[1] * (y - view.value("query_y"))];
}"""


def drag_query(page, frame, place):
    knob = frame.locator("#ex-votes [data-handle=query]")
    knob.scroll_into_view_if_needed()
    drag(page, knob, *frame.evaluate(TO, place))


def test_framed_by_another_site_it_begins_at_its_state_and_is_dragged(visit, origin, tmp_path):
    address = f"{origin}/{VOTES[1]}?theme=light#ex-votes?query_x={KEY_0[0]}&amp;query_y={KEY_0[1]}"
    frame = f'<iframe src="{address}" width="760" height="760"></iframe>'
    (tmp_path / "course.html").write_text(
        f'<!doctype html><title>A course</title><p style="height:300px">Before.</p>{frame}'
    )
    with serve(tmp_path) as other, visit(VOTES[1], theme="dark") as page:
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        del page.asked[:]
        page.goto(f"{other}/course.html")
        frame = page.frames[1]
        expect(frame.locator("output")).to_have_text(AT_0)
        assert page.evaluate("scrollY") == 0, "a figure in a frame scrolled the page around it"
        drag_query(page, frame, KEY_3)
        expect(frame.locator("output")).to_have_text(AT_3)
        assert frame.evaluate("document.documentElement.dataset.theme") == "light"
        assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
        own = [address for address in page.asked if not address.startswith(other)]
        assert own
        assert all(address.startswith((origin, "data:")) for address in own)
        page.asked[:] = own


@pytest.fixture(scope="module")
def shared(visit):
    """The figure in its chapter, its query near key 3, and its menu open."""
    with visit(VOTES[0], permissions=["clipboard-read", "clipboard-write"]) as page:
        drag_query(page, page, KEY_3)
        expect(page.locator("#ex-votes output")).to_have_text(AT_3)
        button = page.locator("#ex-votes").get_by_role("button", name="Share this figure")
        button.press("Enter")
        yield page


def copied(page, name):
    button = page.get_by_role("button", name=name)
    place = button.bounding_box()
    button.click()
    expect(page.locator(".explorable-menu [role=status]")).to_have_text("Copied")
    assert button.bounding_box() == place
    return page.evaluate("navigator.clipboard.readText()")


def saved(page, name, figure="votes"):
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {name}").click()
    assert download.value.suggested_filename == f"{figure}.{name.lower()}"
    return download.value.path().read_bytes()


def test_share_gives_the_link_and_the_embed_line_with_the_state(shared, origin):
    state = f"#ex-votes?query_x={KEY_3[0]}&query_y={KEY_3[1]}"
    assert copied(shared, "Copy the link") == f"{origin}/{VOTES[0]}{state}"
    (frame,) = ElementTree.fromstring(f"<page>{copied(shared, 'Copy the embed line')}</page>")
    assert frame.get("src") == f"{origin}/{VOTES[1]}?theme=light{state}"
    assert frame.get("title").startswith("Figure 3.1 A query among seven keys.")
    alone = shared.get_by_role("link", name="Open by itself").get_attribute("href")
    assert alone == f"{origin}/{VOTES[1]}{state}"
    page = shared.context.new_page()
    for width in (390, 720):
        page.goto("about:blank")
        page.set_viewport_size({"width": width, "height": 900})
        page.set_content(f'<body style="margin: 0">{ElementTree.tostring(frame, "unicode")}')
        height = page.locator("iframe").bounding_box()["height"]
        page.set_viewport_size({"width": width, "height": int(height)})
        page.goto(alone)
        room = page.evaluate("innerHeight - document.querySelector('main').getBoundingClientRect().bottom")
        assert 0 <= room < 100, "the frame is too low, or much too high"
    page.close()


def test_share_saves_the_drawing_as_svg_and_png(shared):
    drawing = saved(shared, "SVG").decode()
    assert not re.search(r"var\(|currentColor|http(?!://www\.w3\.org/)", drawing)
    root = ElementTree.fromstring(drawing)
    assert root.find(f"{SVG}title").text == AT_3
    assert len(root.findall(f"{SVG}svg")) == shared.locator("#ex-votes .explorable-panel").count()
    picture = saved(shared, "PNG")
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (2 * int(root.get("width")), 2 * int(root.get("height")))


def test_a_drawing_is_saved_in_the_page_s_light_colours_in_the_dark_too(visit):
    drawings = []
    for theme in ("dark", "light"):
        with visit(VOTES[1], theme=theme) as page:
            page.get_by_role("button", name="Share this figure").click()
            drawings.append(saved(page, "SVG").decode())
            green = page.evaluate("getComputedStyle(document.querySelector('svg [stroke*=m-c2]')).stroke")
    assert drawings[0] == drawings[1]
    assert green in drawings[0]


def test_a_low_panel_which_is_a_key_is_saved_below_the_others(visit):
    with visit(f"{FIGURE_PAGES}/01_svm_duality/street.html") as page:
        page.get_by_role("button", name="Share this figure").click()
        plane, bars, key = ElementTree.fromstring(saved(page, "SVG", "street")).findall(f"{SVG}svg")
        assert plane.get("y") == bars.get("y")
        assert float(key.get("y")) >= float(plane.get("y")) + float(plane.get("height"))


def test_the_menu_is_closed_by_escape_and_keeps_the_focus(shared):
    shared.keyboard.press("Escape")
    expect(shared.locator(".explorable-menu")).to_be_hidden()
    button = shared.locator("#ex-votes").get_by_role("button", name="Share this figure")
    expect(button).to_be_focused()
    button.press("Space")
    shared.keyboard.press("Tab")
    expect(shared.get_by_role("button", name="Copy the link")).to_be_focused()
    shared.emulate_media(media="print")
    expect(button).to_be_hidden()
