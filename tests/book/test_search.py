"""Search: while typing, on a page of its own, by the words that people know, and where a result leads."""

import gzip
import json
import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from conftest import full
from tests.book.axe import serious_faults
from tests.book.conftest import SITE

INDEX = SITE / "_static" / "search"
TYPED = ".while-typing"


def ask(page, words):
    """The field by its key, the words, and the results when they are those of the words."""
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    page.wait_for_function(
        "words => document.querySelector('.while-typing [role=status]')?.textContent.includes(`“${words}”`)",
        arg=words,
    )


def marked_words(page):
    page.wait_for_function("() => CSS.highlights.get('found')?.size > 0")
    return page.evaluate("[...CSS.highlights.get('found')].map(range => range.toString().toLowerCase())")


# characters whose key alone does something where nothing has the focus
HEARD = """() => [...Array(94).keys()].map(n => String.fromCharCode(33 + n)).filter(key => {
    const pressed = new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true});
    return !document.body.dispatchEvent(pressed) || document.activeElement !== document.body;
})"""


@pytest.mark.full
@pytest.mark.parametrize("path", ["chapters/02_kernels.html", "stories/02_kernels.html"])
def test_no_key_alone_does_anything_on_a_page(visit, path):
    with visit(path) as page:
        assert page.evaluate(HEARD) == []
        page.keyboard.press("Meta+k")
        assert page.evaluate("document.activeElement.id") == "book-search"
        page.keyboard.press("/")
        assert page.locator("#book-search").input_value() == "/"


@pytest.mark.parametrize("screen", ["desktop", *full("phone")])
def test_results_come_while_typing_and_arrows_lead_to_them(visit, screen):
    with visit("chapters/02_kernels.html", screen=screen) as page:
        ask(page, "strong duality")
        page.keyboard.press("ArrowDown")
        assert "strong duality" in page.evaluate("document.activeElement.textContent").lower()
        page.keyboard.press("ArrowUp")
        assert page.evaluate("document.activeElement.id") == "book-search"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url("**/01_svm_duality.html?marked=*#*")
        assert {"strong", "duality"} <= set(marked_words(page))
        place = page.locator(page.evaluate("location.hash")).bounding_box()
        assert 0 <= place["y"] < 400


def test_escape_closes_and_a_box_stays_on_the_screen(visit):
    with visit("search.html?q=xylophone", screen="phone") as page:
        expect(page.locator("#search-progress")).to_contain_text("did not match")
        ask(page, "zylophone")
        page.keyboard.press("ArrowDown")  # to results that are not there
        page.locator("#book-search").fill("")
        ask(page, "margin")
        box = page.locator(TYPED).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Escape")
        assert not page.locator(TYPED).is_visible()
        assert page.evaluate("document.activeElement.id") == "book-search"


CALLED = {  # what people call sections, exercises, statements and figures, and their names
    "kkt": "Reading the optimality conditions",
    "intercept exercise": "Ridge regression with an intercept",
    "mercer": "Mercer",
    "widest street": "Figure 1.1: The widest street",
}
EXPLAINED = {  # what people look for, and the place that explains it
    "margin": "#term-margin",
    "kernel": "#term-kernel",
    "attention": "#term-attention",
    "bandwidth": "#term-bandwidth",
    "softmax": "#term-softmax",
    "support vector": "#term-support-vector",
    "KKT": "#reading-the-optimality-conditions",
    "dual": "#term-dual",
    "regularization path": "#att-def-path",
    "convergence": "#lo-def-ends",
    "RBF": "#term-Gaussian-kernel",
    "Performer": "#term-Performer",
    "smo": "#margins.svm.smo",
    "logistic_descent": "#margins.descent.logistic_descent",
    "kkt_report": "#margins.svm.kkt_report",
}


def ask_anew(page, words):
    page.locator("#book-search").fill("")
    page.evaluate("document.activeElement.blur()")
    ask(page, words)


def test_a_word_is_found_first_where_it_is_explained_and_a_name_of_the_library_there(visit):
    found = {}
    with visit("index.html") as page:
        for words in EXPLAINED:
            ask_anew(page, words)
            found[words] = page.evaluate("document.querySelector('.while-typing a').hash")
            name, context = page.locator(".while-typing li li").first.inner_text().split("\n", 1)
            assert not context.strip().startswith(name), "the name is said twice"
        for words, name in CALLED.items():
            ask_anew(page, words)
            first = page.locator(".while-typing a").all_inner_texts()[:3]
            assert any(name in shown for shown in first), first
    assert found == EXPLAINED


def test_every_result_leads_to_its_place_and_shows_no_source(visit):
    with visit("search.html?q=gradient") as page:
        page.wait_for_selector("#search-results a")
        links = page.eval_on_selector_all("#search-results a", "links => links.map(link => link.href)")
        shown = page.inner_text("#search-results")
    for link in links:
        path, _, place = link.partition("#")
        page = SITE / path.partition("?")[0].split("/", 3)[3]
        assert not place or f'id="{unquote(place)}"' in page.read_text(), link
    assert not set("$\\{}") & set(shown), "TeX or code in what is shown"
    assert "In the book:" not in shown, "what leads elsewhere is in what is shown"


@pytest.mark.full
def test_names_of_columns_stand_apart_from_what_they_name(visit):
    with visit("search.html?q=ratio goal met") as page:
        page.wait_for_selector("#search-results a")
        shown = page.inner_text("#search-results")
    assert re.search(r"\bgoal \d", shown)
    assert not re.search(r"\b(ours|peer|ratio|goal)\d", shown)


# Like Pagefind it has one record of a place, filled for whoever asks; here the shorter word takes longer.
FORGETFUL = """
const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const record = {url: "/chapters/02_kernels/place.html"};
const data = words => async () => {
    await wait(words.length < 6 ? 150 : 20);
    Object.assign(record, {meta: {title: words}, content: words});
    await wait(300);
    return record;
};
export const options = async () => {}, init = async () => {};
export const search = async words => ({results: [{id: words, score: 1, words: [0], data: data(words)}]});
"""


def test_a_search_waits_for_the_one_before_whose_words_it_would_find(visit):
    with visit("index.html") as page:
        page.route("**/search/pagefind.js", lambda route: route.fulfill(
            body=FORGETFUL, content_type="text/javascript"
        ))  # fmt: skip
        ask(page, "margin")
        assert page.locator(f"{TYPED} a").all_inner_texts() == ["margin"]


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_results_are_accessible(visit, theme):
    with visit("search.html?q=margin", bypass_csp=True, theme=theme) as page:
        page.wait_for_selector("#search-results li a")
        faults = serious_faults(page, "all results")
        ask(page, "kernel")
        assert not faults + serious_faults(page, "while typing", TYPED)


def test_nothing_of_search_is_loaded_before_it_is_used_and_little_then(visit):
    loaded = []
    with visit("chapters/01_svm_duality.html") as page:
        page.on("response", lambda response: loaded.append(response))
        page.reload(wait_until="load")
        assert not [response.url for response in loaded if "search" in response.url]
        ask(page, "support vectors")
        files = {response.url for response in loaded if "/_static/search/" in response.url}
    packed = sum(
        len(gzip.compress((INDEX / url.partition("/search/")[2].partition("?")[0]).read_bytes()))
        for url in files
    )
    assert packed < 300_000
    assert json.loads((INDEX / "pagefind-entry.json").read_text())["languages"]["en"]["page_count"] > 10
