"""Every page of the rendered site: nothing from elsewhere, nothing missing, nothing in the way of anyone."""

import copy
import gzip
import re
from functools import cache
from urllib.parse import unquote, urldefrag

import pytest

from tests.book.conftest import CHAPTERS, PAGES, ROOT, SITE, parsed

AXE = ROOT / "book" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
PAGE_BUDGET = 150_000  # bytes, gzipped
REQUEST_BUDGET = 9
SHIFT_BUDGET = 0.05


UNFOLD = """() => { for (const fold of document.querySelectorAll("details")) fold.open = true; }"""
# Formulas and words of code are thousands, of few kinds: of each kind some stay to be looked at.
THIN = """() => {
    const seen = {};
    for (const part of document.querySelectorAll("main math, main .highlight span")) {
        const inside = part.closest("details, figure, table")?.localName ?? "";
        const kind = [part.localName, part.className, inside].join(" ");
        seen[kind] = (seen[kind] ?? 0) + 1;
        if (seen[kind] > 8) part.remove();
    }
}"""


def serious_faults(page, state, part="html", **rules):
    """axe-core's serious and critical findings in a part of the page as it stands."""
    run = "([part, options]) => axe.run(part, options).then(r => r.violations)"
    found = page.evaluate(run, [part, {"resultTypes": ["violations"], **rules}])
    grave = [v for v in found if v["impact"] in ("serious", "critical")]
    return [f"{state}: {v['id']} at {[n['target'] for n in v['nodes'][:3]]}" for v in grave]


@pytest.mark.parametrize("screen", ["desktop", "phone"])
@pytest.mark.parametrize("path", PAGES)
def test_page_is_whole_and_accessible_in_both_themes(visit, path, screen):
    """With all folds open, so that nothing hides; of all rules only the colours' depend on the theme."""
    with visit(path, screen=screen, bypass_csp=True) as page:
        page.evaluate(AXE.read_text())
        fits(page)
        page.evaluate(UNFOLD)
        fits(page)
        page.evaluate(THIN)
        faults = serious_faults(page, "light")
        page.emulate_media(color_scheme="dark")
        page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
        faults += serious_faults(page, "dark", runOnly=["color-contrast"])
        if screen == "phone":
            page.click(".contents-button")
            faults += serious_faults(page, "dark, contents open", "#book-panel")
        assert not faults


def fits(page):
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert overflow <= 0, f"the page is {overflow} px wider than the screen"


@pytest.mark.parametrize("path", PAGES)
def test_head_is_complete(path):
    soup = parsed(path)
    assert 5 < len(soup.title.text) < 90
    description = soup.find("meta", attrs={"name": "description"})["content"]
    assert 15 < len(description) <= 170
    policy = soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert "default-src 'self'" in policy
    assert "'unsafe-eval'" not in policy
    assert len(soup.find_all("h1")) == 1


@pytest.mark.parametrize("path", PAGES)
def test_figures_have_words(path):
    soup = parsed(path)
    for image in soup.select("main img"):
        assert image.get("alt", "").strip(), f"an image without alt text: {image}"
    for drawing in soup.select("main figure svg"):
        assert drawing.get("role") == "img"
        assert len(drawing.get("aria-label", "")) > 15
    for figure in soup.select("main figure"):
        assert figure.find("figcaption").text.strip()


def test_no_mathematics_is_left_unset():
    for path in PAGES:
        soup = copy.copy(parsed(path))
        for element in soup.select("code, pre, script, style, annotation"):
            element.decompose()
        assert not re.search(r"\\\(|\\\[|\$\$|\\(frac|sum|alpha)\b", soup.text), f"TeX left in {path}"


@cache
def anchors(page):
    """The places of a page that links can lead to."""
    return {element["id"] for element in parsed(page).find_all(id=True)}


@pytest.mark.parametrize("path", PAGES)
def test_inner_links_lead_somewhere(path):
    soup = parsed(path)
    for link in soup.select("a[href]"):
        target, fragment = urldefrag(link["href"])
        if re.match(r"[a-z]+:", target):
            continue
        file = (SITE / path).parent / unquote(target) if target else SITE / path
        assert file.is_file(), f"{path} links to {link['href']}, which is not there"
        if fragment and file.suffix == ".html":
            place = file.resolve().relative_to(SITE.resolve()).as_posix()
            assert unquote(fragment) in anchors(place), f"{path} links to the missing place {link['href']}"


@pytest.mark.parametrize("path", [*CHAPTERS, "index.html"])
def test_page_keeps_its_budgets(visit, path):
    size = len(gzip.compress((SITE / path).read_bytes(), 6))
    assert size <= PAGE_BUDGET, f"{size} bytes gzipped"
    requests = []
    with visit(path) as page:
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        page.wait_for_load_state("load")
        assert len(requests) <= REQUEST_BUDGET, requests
        for _ in range(12):
            page.mouse.wheel(0, 1500)
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shift = page.evaluate("""new Promise(done => new PerformanceObserver(list => done(
            list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0)
          )).observe({type: "layout-shift", buffered: true}) || setTimeout(() => done(0), 300))""")
        assert shift <= SHIFT_BUDGET


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_exercise_gives_itself_away(path):
    soup = parsed(path)
    checks = soup.select(".tag_check")
    assert checks
    for check in checks:
        fold = check.find_parent("details")
        assert fold.summary.text == "Solution"
        call = check.select_one(".cell_input").text.strip()
        assert call in fold.find_previous_sibling(class_="how-to-check").text


@pytest.mark.parametrize("path", CHAPTERS)
def test_no_hidden_check_and_no_marker_reaches_the_page(path):
    page = (SITE / path).read_text()
    assert "BEGIN SOLUTION" not in page
    assert "hidden-check" not in page


@pytest.mark.parametrize("path", CHAPTERS)
def test_every_statement_is_listed_by_number_and_title(path):
    listed = {link["href"]: link.parent.text for link in parsed("book/statements.html").select("main li a")}
    stated = [box for box in parsed(path).select("main div.proof[id]") if box.select_one(".caption-number")]
    assert stated
    for box in stated:
        number, title = box.select_one(".caption-number").text, box.select_one(".admonition-title").text
        line = listed[f"../{path}#{box['id']}"]
        said = title.removeprefix(number).strip().removeprefix("(").removesuffix(")")
        assert line.split() == [*number.split(), *said.split()]
