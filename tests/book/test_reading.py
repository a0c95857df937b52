"""What a reader does on a page besides reading it: theme, contents, copying, printing, no scripts."""

import io
import re

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from conftest import full
from tests.book.conftest import CHAPTERS, ONE_CHAPTER, SITE, parsed
from tests.scripts.editions.pdf_reading import FOOT, LINES, flat, heights


def test_theme_goes_round_and_is_remembered(visit):
    """The first press changes what is shown, whatever the system prefers."""
    with visit("index.html", theme="light") as page:
        page.click(".theme-button")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    with visit("index.html", theme="dark") as page:
        seen = []
        for _ in range(3):
            page.click(".theme-button")
            seen.append(
                page.evaluate(
                    "[document.documentElement.dataset.mode, document.documentElement.dataset.theme]"
                )
            )
        assert seen == [["light", "light"], ["dark", "dark"], ["automatic", "dark"]]
        page.click(".theme-button")
        page.reload()
        assert page.evaluate("document.documentElement.dataset.theme") == "light"
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert min(int(part) for part in paper.strip("rgb()").split(",")) > 230


def test_contents_open_and_close_on_a_phone(visit):
    with visit(CHAPTERS[0], screen="phone") as page:
        page.set_viewport_size({"width": 320, "height": 844})
        assert page.locator("header.book").bounding_box()["height"] < 60, "the bar has two lines"
        panel = page.locator("#book-panel")
        assert not panel.is_visible()
        page.click(".contents-button")
        assert panel.is_visible()
        page.keyboard.press("Escape")
        assert not panel.is_visible()
        assert page.evaluate("document.activeElement.className") == "contents-button"
        page.click(".contents-button")
        page.locator(".theme-button").focus()
        page.keyboard.press("Tab")
        assert not panel.is_visible(), "the contents cover what has the focus"


# links of the contents whose border is seen, which tells the section that is being read
WHOLE = f"{CHAPTERS[0]}?depth=everything"  # nothing of it is folded that may be looked at
MARKED = """[...document.querySelectorAll("header.book nav ul ul a")]
    .map(link => getComputedStyle(link).borderLeftColor)
    .filter(colour => colour !== getComputedStyle(document.body).backgroundColor)"""
# colours of a figure's lines that are none of the reader's
FOREIGN = """() => {
    const probe = document.body.appendChild(document.createElement("i"));
    const own = ["CanvasText", "LinkText", "GrayText"].map(name => {
        probe.style.color = name;
        return getComputedStyle(probe).color;
    });
    probe.remove();
    return [...document.querySelectorAll("#ex-street path[data-l]:not([stroke=none])")]
        .map(line => getComputedStyle(line).stroke).filter(colour => !own.includes(colour));
}"""


SECTIONS = {390: "header.book nav ul ul a", 1100: "header.book nav ul ul a", 1280: ".rail a"}


@pytest.mark.parametrize("width", [1280, *full(390, 1100)])
def test_sections_of_the_chapter_lead_there_and_the_one_being_read_is_marked(visit, width):
    """In the contents; where figures stand beside the text, on the rail that takes their place."""
    with visit(CHAPTERS[0]) as page:
        page.set_viewport_size({"width": width, "height": 844})
        links = page.locator(SECTIONS[width])
        assert links.count() > 5
        for number in (3, 5):
            if width == 390:
                page.click(".contents-button")
            link = links.nth(number)
            link.click()
            expect(link).to_have_attribute("aria-current", "true")
            assert page.locator("header.book nav [aria-current]").count() == 1
            heading = page.locator(link.get_attribute("href")).locator("h2").first
            assert 0 <= heading.bounding_box()["y"] < 300, "the heading is hidden or far away"
            if width == 390:
                expect(page.locator("#book-panel")).to_be_hidden()
                expect(page.locator(".place")).to_have_text(link.inner_text() or link.text_content())
                bar = page.locator("header.book").bounding_box()
                assert bar["y"] == 0
                assert bar["height"] < 70
                assert heading.bounding_box()["y"] >= bar["height"]
        assert float(page.locator("header.book").evaluate("e => e.style.getPropertyValue('--read')")) > 0
        number = page.locator(".turn-page .section-number").first
        assert number.evaluate("span => getComputedStyle(span).display") == "inline", "it begins the title"
        page.emulate_media(forced_colors="active")
        assert len(page.evaluate(MARKED)) == 1, "with the reader's own few colours the section is not marked"
        assert not page.evaluate(FOREIGN)


FAR = """() => [...document.querySelectorAll("article > section > section")]
    .filter(section => !section.firstElementChild.checkVisibility({contentVisibilityAuto: true})).length"""

# the first words on the screen; none before anything is laid out
READ = """() => [...document.querySelectorAll("article :is(h2, h3, p, li)")]
    .filter(part => part.checkVisibility({contentVisibilityAuto: true}))
    .find(part => part.getBoundingClientRect().top > 60)?.textContent"""


@pytest.mark.full
def test_sections_far_away_wait_until_a_link_or_the_reader_comes_near(visit):
    """What is wide there is within reach of the keyboard then, and the menus are in the figures.

    And who loads the page again is where it was left, though it be left again before anything is seen of it.
    """
    with visit(WHOLE, screen="phone") as page:
        assert page.evaluate(FAR) > 8
        for name in ("equation-svm-flow-rate", "ex-soft-margin"):
            page.evaluate("name => (location.hash = name)", name)
            place = page.locator(f"#{name}")
            expect(place).to_be_in_viewport()
            assert place.bounding_box()["y"] > page.locator("header.book").bounding_box()["height"]
            assert place.evaluate("place => getComputedStyle(place).boxShadow") != "none", "it is not marked"
        expect(place.locator("select")).to_be_visible()
        page.evaluate("location.hash = 'reading-the-optimality-conditions'")  # a wide table
        wide = page.locator("article pre[aria-label='Wide content']").first
        expect(wide).to_have_attribute("tabindex", "0")
        assert page.evaluate(FAR) > 6
        for _ in range(8):
            page.mouse.wheel(0, 2500)
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        left = page.evaluate(READ)
        page.reload()
        page.wait_for_function(f"left => ({READ})() === left", arg=left)
        page.route("**/margins.css*", lambda _: None)  # never comes: so nothing is laid out, nor scrolled
        page.reload(wait_until="commit")
        page.unroute("**/margins.css*")
        page.goto(page.asked[0].replace(CHAPTERS[0], "search.html"))
        page.go_back()
        page.wait_for_function(f"left => ({READ})() === left", arg=left)


# How tall sections count while they wait to be laid out, and how tall they are.
COUNTED = """() => [...document.querySelectorAll("article > section > section")].map(section => {
    const counted = parseFloat(getComputedStyle(section).containIntrinsicBlockSize.replace("auto", ""));
    section.style.contentVisibility = "visible";
    return [counted, section.offsetHeight];
})"""


@pytest.mark.parametrize("screen", ["desktop", *full("phone")])
@pytest.mark.parametrize("path", ONE_CHAPTER)
def test_a_section_that_waits_counts_about_as_tall_as_it_is(visit, path, screen):
    """So the scroll bar tells where a reader is, and no link lies above a button of the next section."""
    with visit(path, screen=screen) as page:
        heights = page.evaluate(COUNTED)
    counted, real = map(sum, zip(*heights, strict=True))
    assert 0.9 < counted / real < 1.2
    assert all(count / height > 0.7 for count, height in heights), heights


TALLEST = """() => [...document.querySelectorAll("article > section > section")]
    .map(section => [section.textContent.length, [...section.querySelectorAll("[id]:not(svg *, math *)")]])
    .sort(([a], [b]) => b - a)[0][1].filter(place => !place.closest("details")).at(-1).id"""


@pytest.mark.parametrize("screen", ["desktop", *full("phone")])
def test_an_address_leads_into_the_depth_of_the_tallest_section(visit, screen):
    """Where one goes is laid out first."""
    with visit(CHAPTERS[-1], screen=screen) as page:
        name = page.evaluate(TALLEST)
        page.goto(f"{page.url}#{name}")
        expect(page.locator(f"[id='{name}']")).to_be_in_viewport()
        page.goto("about:blank")
        page.goto(f"{page.asked[0]}#{name}")
        expect(page.locator(f"[id='{name}']")).to_be_in_viewport()


def test_code_is_copied(visit):
    with visit(WHOLE, permissions=["clipboard-read", "clipboard-write"]) as page:
        block = page.locator(".cell_input div.highlight >> visible=true").first
        block.hover()
        block.locator(".copy").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == block.locator("pre").inner_text().rstrip()
        assert page.locator(".cell_output div.highlight pre").count()
        assert page.locator(".cell_output .copy").count() == 0


@pytest.mark.full
def test_where_nothing_hovers_the_button_to_copy_lies_below_the_code(visit):
    with visit(f"{CHAPTERS[5]}?depth=everything", screen="phone", has_touch=True, is_mobile=True) as page:
        block = page.locator(".cell_input div.highlight >> visible=true").first
        code, button = block.locator("pre").bounding_box(), block.locator(".copy").bounding_box()
        assert button["y"] >= code["y"] + code["height"]


@pytest.mark.parametrize("path", CHAPTERS)
def test_page_offers_itself_as_a_notebook(path):
    soup = parsed(path)
    links = {link.text: link["href"] for link in soup.select(".run-it a")}
    notebook = path.rpartition("/")[2].replace(".html", ".ipynb")
    assert "Binder (free, 1–2 minutes)" in " ".join(soup.select_one(".run-it").get_text().split())
    assert links["Binder"].startswith("https://mybinder.org/v2/gh/")
    assert links["Binder"].endswith(f"/notebooks?urlpath=lab%2Ftree%2F{notebook}")
    assert links["Colab"].endswith(f"/blob/notebooks/{notebook}")
    assert ((SITE / path).parent / links["Download"]).is_file()


@pytest.mark.full
@pytest.mark.parametrize("path", CHAPTERS)
def test_no_heading_stands_alone_at_the_foot_of_a_printed_page(visit, path):
    with visit(path) as page:
        reader = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, outline=True, tagged=True)))
    headings = list(flat(reader.outline))
    assert len(headings) > 10
    numbers = [reader.get_destination_page_number(mark) for mark in headings]
    stands = {number: heights(reader.pages[number]) for number in set(numbers)}  # each page is read once
    below = zip(headings, (stands[number] for number in numbers), strict=True)
    alone = [mark.title for mark, ys in below if not any(FOOT < y < float(mark.top) - LINES for y in ys)]
    assert alone == []


def test_what_a_link_leads_to_is_shown_in_place(visit):
    """By keyboard and by mouse: a theorem without its proof, an equation, a figure, a far claim."""
    with visit(WHOLE) as page:
        page.wait_for_load_state("networkidle")  # figures that come to life may move what stands below
        shown = page.locator("#preview")
        theorem = page.locator("main a.reference[href='#svm-thm-kkt']").first
        before = theorem.bounding_box()["y"] - page.locator("h1").bounding_box()["y"]
        theorem.scroll_into_view_if_needed()
        page.keyboard.press("Tab")  # from now on the focus is to be seen
        theorem.focus()
        expect(shown).to_contain_text("Multipliers exist")
        assert "Proof" not in shown.inner_text()
        assert theorem.get_attribute("aria-describedby") == "preview"
        assert shown.locator("[id]").count() == 0
        assert theorem.bounding_box()["y"] - page.locator("h1").bounding_box()["y"] == before
        page.keyboard.press("Escape")
        expect(shown).to_be_hidden()
        assert theorem.get_attribute("aria-describedby") is None
        page.locator("main a.reference[href='#equation-svm-dual']").first.hover()
        expect(shown.locator("math").first).to_be_visible()
        shown.hover()
        page.wait_for_timeout(400)
        expect(shown).to_be_visible()
        page.locator("main a[href='#ex-street']:has(> .std-numref)").first.hover()
        expect(shown.locator("figcaption")).to_contain_text("Figure 1.1")
        expect(shown.locator("svg").first).to_be_visible()
        assert shown.locator("button, input, select, output, [role=slider]").count() == 0
        claim = page.locator("main a[href*='claims.html#claim-c1-05']").first
        claim.hover()
        expect(shown).to_contain_text("C1.05")
        assert shown.locator("a[href*='/tests/test_claims.py#L']").count()
        page.locator("h1").hover()
        expect(shown).to_be_hidden()


@pytest.mark.full
def test_a_finger_s_first_tap_shows_and_the_next_goes_there(visit):
    with visit(WHOLE, screen="phone", has_touch=True) as page:
        link = page.locator("main a[href*='claims.html#claim-c1-05']").first
        link.tap()
        preview = page.locator("#preview")
        expect(preview).to_contain_text("C1.05")
        box = preview.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        preview.get_by_role("link", name="Go there").tap()
        page.wait_for_url("**/claims.html#claim-c1-05")


@pytest.mark.parametrize("path", ONE_CHAPTER)
def test_page_reads_without_script_and_answers_are_in_a_fold(visit, path):
    """Pictures, sentences and folds are there, and the quiz with its answers."""
    with visit(path, java_script_enabled=False) as page:
        for figure in page.locator("figure.explorable").all():
            figure.evaluate("figure => figure.scrollIntoView()")
            assert figure.locator(".explorable-panel > svg").first.is_visible()
            expect(figure.locator("output")).to_have_text(re.compile(r"\S"), use_inner_text=True)
        assert page.locator("details.deep:not([open])").count() == 0
        expect(page.locator(".depth")).to_be_hidden()
        assert page.locator("details.deep:not(.fold) > summary:visible").count() == 0
        question = page.locator("fieldset.quiz").first
        assert question.get_by_role("button").count() == 0
        answers = question.locator("details li").first
        assert not answers.is_visible()
        question.locator("summary").click()
        assert answers.is_visible()
