"""What assistive technology is given: names, states and order in the browser's accessibility tree."""

from itertools import pairwise
from typing import NamedTuple

import pytest

from conftest import CHROMIUM, FLAGS, full, program
from tests.book.axe import THIN
from tests.book.conftest import CHAPTERS, parsed
from tests.book.test_every_page import LAY_OUT
from tests.book.test_reading import FAR

RESULTS = "search.html?q=duality"
KINDS = [
    CHAPTERS[0],
    RESULTS,
    *full("index.html", "book/claims.html", "book/status.html", "book/teaching.html"),
]
STATES = {  # of what can be worked, what is said besides its name
    "DisclosureTriangle": "expanded",
    "checkbox": "checked",
    "radio": "checked",
    "slider": "valuemax",
    "combobox": "expanded",
}
READ_OUT = "link", "button", "searchbox", "navigation", "form", "heading", "image", "figure", "columnheader"
NAMED = {*STATES, *READ_OUT}
LANDMARKS = {"banner", "search", "navigation", "main", "form", "contentinfo"}
# the upper edges of what stands one below the other, in the order of the source
EDGES = """[...document.querySelectorAll("article :is(h1, h2, h3, figure, details, .quiz, .claim)")]
    .filter(part => part.checkVisibility()).map(part => Math.round(part.getBoundingClientRect().top))"""


class Thing(NamedTuple):
    """A node of the tree: what it is, what it is called, what is said of its state."""

    role: str
    name: str
    states: dict


def thing(node):
    states = {state["name"]: state["value"].get("value") for state in node["properties"]}
    return Thing(node["role"]["value"], node["name"].get("value", ""), states)


def read(page):
    """The things of a page in the order in which they are read, formulas thinned out."""
    page.evaluate(THIN)
    answer = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in answer["nodes"]}
    waiting, found = [answer["nodes"][0]], []
    while waiting:
        node = waiting.pop()
        if not node["ignored"] and "properties" in node:
            found.append(thing(node))
        waiting += [nodes[name] for name in reversed(node["childIds"]) if name in nodes]
    return found


def landmarks_are_in_order(things):
    marks = [mark for mark in things if mark.role in LANDMARKS]
    roles = [mark.role for mark in marks]
    assert roles[:4] == ["banner", "search", "navigation", "main"]
    assert roles[-1] == "contentinfo"
    assert roles.count("main") == 1
    names = [mark.name for mark in marks if mark.role == "navigation"]
    assert len(set(names)) == len(names)
    assert next(mark.name for mark in things if mark.role == "link") == "Skip to the text"


def headings_skip_no_level(things):
    start = next(number for number, mark in enumerate(things) if mark.role == "main")
    levels = [int(mark.states["level"]) for mark in things[start:] if mark.role == "heading"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(level <= above + 1 for above, level in pairwise(levels))


def everything_is_named_and_says_its_state(things):
    for one in things:
        if one.role in NAMED:
            assert any(letter.isalnum() for letter in one.name), f"{one} has no name"
            assert not set("▸▾#") & set(one.name), f"{one} is named by a sign"
        if one.role in STATES:
            assert STATES[one.role] in one.states, f"{one} says no state"


@pytest.mark.parametrize("path", KINDS)
def test_the_tree_is_in_order_and_says_names_and_states(visit, path):
    with visit(path) as page:
        if path == RESULTS:
            page.wait_for_selector("#search-results a")
        page.evaluate(LAY_OUT)
        if page.locator(".into-text").count():  # beside the text a figure stands where the eye is
            page.locator(".into-text").first.click()
        things = read(page)
        edges = page.evaluate(EDGES)
        assert edges == sorted(edges), "what is read first does not stand first"
        landmarks_are_in_order(things)
        headings_skip_no_level(things)
        everything_is_named_and_says_its_state(things)


@pytest.mark.full
def test_sections_that_wait_to_be_laid_out_are_in_the_tree_of_a_screen_reader(browser, origin):
    """The browser keeps them there as long as an assistive technology asks, as it believes with this flag."""
    path = program(CHROMIUM)
    running = browser.browser_type.launch(
        executable_path=path, args=[*FLAGS, "--force-renderer-accessibility"]
    )
    page = running.new_page()
    page.goto(f"{origin}/{CHAPTERS[-1]}?depth=everything")
    session = page.context.new_cdp_session(page)
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    found = session.send("Accessibility.queryAXTree", {"nodeId": root, "role": "heading"})["nodes"]
    assert page.evaluate(FAR) > 6
    wanted = [heading["aria-label"] for heading in parsed(CHAPTERS[-1]).select("article :is(h1, h2, h3)")]
    assert set(wanted) <= {node["name"]["value"] for node in found}
    running.close()


def test_what_opens_says_so(visit):
    with visit(CHAPTERS[0], screen="phone") as page:
        page.locator("details.fold > summary:visible").first.click()
        page.click(".contents-button")
        things = read(page)
        assert next(one for one in things if one.name == "Contents").states["expanded"]
        assert [one.states["expanded"] for one in things if one.role == "DisclosureTriangle"].count(True) == 1
